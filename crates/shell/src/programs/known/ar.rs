// Generated from knowledge/programs/ar.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "ar gar llvm-ar",
        "ar(1) binutils 2.42",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["t*", "p*", "-t*", "-p*"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(1, false, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["x*", "-x*"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Operand(1, false, Role::Read),
                Act::WritesFile("."),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(1, false, Role::InPlace),
                Act::Operand(2, true, Role::Read),
            ],
        },
    ])
    .taken_over()
    ,
];
