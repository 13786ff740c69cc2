// Generated from knowledge/programs/pkill.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "pkill killall killall5 skill snice xkill fuser taskkill",
        "pkill(1) procps 4.0",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::NoOperand(&["-*k*"]),
                Condition::Program(&["fuser"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-0"]),
                Condition::Program(&["pkill"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-l", "--list", "-V"]),
                Condition::Program(&["killall"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.resource", "stops processes by name"),
            ],
        },
    ])
    .taken_over()
    ,
];
