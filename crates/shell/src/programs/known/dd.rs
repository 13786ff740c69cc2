// Generated from knowledge/programs/dd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "dd",
        "dd(1) coreutils 9.4",
        "",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::coreutils::dd),
            ],
        },
    ])
    .taken_over()
    ,
];
