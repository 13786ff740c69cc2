// Generated from knowledge/programs/jj.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            jj sl bzr fossil cvs p4 darcs pijul git-lfs git-sizer git-crypt git-secret gitleaks trufflehog \
            tig lazygit gitui repo",
        "jj 0.14, p4 2023",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::forge::jj),
            ],
        },
    ])
    .taken_over()
    ,
];
