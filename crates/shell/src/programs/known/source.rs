// Generated from knowledge/programs/source.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "source .",
        "bash(1) 5.2",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["--"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::File("shell")),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("shell", &[]),
            ],
        },
    ])
    ,
];
