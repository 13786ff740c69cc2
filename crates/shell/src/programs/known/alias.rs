// Generated from knowledge/programs/alias.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "alias",
        "bash(1) 5.2",
        "-p -g -s -L -m -r",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::NoOperand(&["*=*"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
];
