// Generated from knowledge/programs/trap.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "trap",
        "bash(1) 5.2",
        "-p -l",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p", "-l"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["-"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Operand(0, false, Role::Shell),
            ],
        },
    ])
    ,
];
