// Generated from knowledge/programs/tee.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "tee",
        "tee(1) coreutils 9.4, compared with 9.1",
        "-a|--append -i|--ignore-interrupts -p --output-error?=data",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-a"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Append),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Stdin(Arrives::Empty),
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
                Act::Empties,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::Write),
            ],
        },
    ])
    ,
];
