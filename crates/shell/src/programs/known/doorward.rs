// Generated from knowledge/programs/doorward.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "doorward doorward-thin",
        "doorward(1) unknown",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::FirstNot(&["check", "explain", "doctor", "status", "--version", "--help", "help",
                        "audit"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "touches the guard itself"),
            ],
        },
    ])
    .taken_over()
    ,
];
