// Generated from knowledge/programs/shutdown.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "shutdown reboot poweroff halt init telinit",
        "shutdown(8) systemd 255",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["-c", "--help", "--version", "--show"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.resource", "stops or restarts the machine"),
            ],
        },
    ])
    .taken_over()
    ,
];
