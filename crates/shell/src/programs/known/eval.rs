// Generated from knowledge/programs/eval.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "eval",
        "bash(1) 5.2",
        "",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Transparent,
                Act::WrapsShell(0),
            ],
        },
    ])
    ,
];
