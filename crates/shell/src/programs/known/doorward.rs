// Generated from knowledge/programs/doorward.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "doorward doorward-thin",
        "doorward --help 0.1.0",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["audit"]),
                Condition::Word(&["accept", "drop-contents"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "touches the guard's own record"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["status"]),
                Condition::Word(&["--token"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints the token of the guard's service"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["check", "explain", "help", "doctor", "status", "--version", "-V",
                        "--help", "-h", "audit"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "touches the guard itself"),
            ],
        },
    ])
    ,
];
