// Generated from knowledge/programs/history.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "history",
        "bash(1) 5.2",
        "-c -d=data -a -n -r -w -p -s",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-c", "-d"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "wipes the shell's history"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-a", "-w"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
                Act::WritesFile("~/.bash_history"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-a"]),
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Operand(0, false, Role::Append),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-w"]),
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Operand(0, false, Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-r", "-n"]),
            ],
            acts: &[
                Act::Acts,
                Act::Operand(0, false, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-p", "-s"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
];
