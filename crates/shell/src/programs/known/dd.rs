// Generated from knowledge/programs/dd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "dd",
        "dd(1) coreutils 9.4",
        "",
        "data*",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::OperandOf(0, true, Role::Read, &Choice {
                        after: &["if="],
                        ..Choice::ALL
                    }),
            ],
        },
        Rule {
            when: &[
                Condition::OperandNot(&["if=*", "of=*", "*bs=*", "count=*", "skip=*", "*seek=*", "conv=*",
                        "*flag=*", "status=*"]),
            ],
            acts: &[
                Act::Unknown,
                Act::Mentions,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["if=*", "conv=*notrunc*"]),
                Condition::Operand(&["of=*"]),
                Condition::Stdin(Arrives::Empty),
            ],
            acts: &[
                Act::OperandOf(0, true, Role::InPlace, &Choice {
                        after: &["of="],
                        ..Choice::ALL
                    }),
                Act::Empties,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["conv=*notrunc*"]),
                Condition::Operand(&["if=/dev/null", "count=0"]),
            ],
            acts: &[
                Act::OperandOf(0, true, Role::InPlace, &Choice {
                        after: &["of="],
                        ..Choice::ALL
                    }),
                Act::Empties,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::OperandOf(0, true, Role::Write, &Choice {
                        after: &["of="],
                        ..Choice::ALL
                    }),
            ],
        },
    ])
    .taken_over()
    ,
];
