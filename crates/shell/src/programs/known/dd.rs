// Generated from knowledge/programs/dd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "dd",
        "dd(1) coreutils 9.4, compared with 9.1",
        "",
        "data*",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["if=*"], except: &[], after: &["if="] }, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::At(Pick { at: &["0.."], fits: &[], except: &["if=*", "of=*", "*bs=*",
                    "count=*", "skip=*", "*seek=*", "conv=*", "*flag=*", "status=*"], after: &[] }),
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
                Act::Picked(Pick { at: &["0.."], fits: &["of=*"], except: &[], after: &["of="] }, Role::InPlace),
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
                Act::Picked(Pick { at: &["0.."], fits: &["of=*"], except: &[], after: &["of="] }, Role::InPlace),
                Act::Empties,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["of=*"], except: &[], after: &["of="] }, Role::Write),
            ],
        },
    ])
    ,
];
