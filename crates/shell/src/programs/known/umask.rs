// Generated from knowledge/programs/umask.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "umask",
        "bash(1) 5.2",
        "-p -S",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::builtins::umask),
            ],
        },
    ])
    .taken_over()
    ,
];
