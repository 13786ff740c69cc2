// Generated from knowledge/programs/hash.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "hash",
        "bash(1) 5.2",
        "-r -l -d -t -p=data",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::builtins::hash),
            ],
        },
    ])
    .taken_over()
    ,
];
