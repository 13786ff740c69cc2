// Generated from knowledge/programs/kill.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "kill",
        "kill(1) util-linux 2.38",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["-l", "-L", "--list", "--table", "-0"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["-*/-1", "*/-1", "0", "1"]),
            ],
            acts: &[
                Act::Finding("shell.resource", "signals every process"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(3, 3),
                Condition::Path(&["-n/#/%*"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::At(Pick { at: &["0.."], fits: &[], except: &["-*", "%*", "$!", "SIG*",
                    "HUP", "INT", "QUIT", "ABRT", "KILL", "USR1", "USR2", "ALRM", "TERM", "STOP", "CONT",
                    "WINCH"], after: &[] }),
            ],
            acts: &[
                Act::Finding("shell.resource", "stops a process that this command didn't start"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["-*/-*", "*/-*"]),
            ],
            acts: &[
                Act::Finding("shell.resource", "stops a process that this command didn't start"),
            ],
        },
    ])
    ,
];
