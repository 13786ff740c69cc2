// Generated from knowledge/programs/terraform.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "terraform tofu terragrunt pulumi packer vagrant cdktf terraformer atlantis",
        "terraform(1) 1.7, pulumi 3",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::cloud::iac),
            ],
        },
    ])
    .taken_over()
    ,
];
