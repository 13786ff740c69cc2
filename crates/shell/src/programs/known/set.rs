// Generated from knowledge/programs/set.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "set",
        "bash(1) 5.2",
        "",
        "",
    )
    .style(Style::Raw)
    .answers()
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Environment(true),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["history"]),
                Condition::Word(&["+o"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "stops the shell from keeping its history"),
            ],
        },
    ])
    ,
];
