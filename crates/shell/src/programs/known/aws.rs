// Generated from knowledge/programs/aws.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "aws awslocal",
        "aws(1) 2.15",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::cloud::aws),
            ],
        },
    ])
    .taken_over()
    ,
];
