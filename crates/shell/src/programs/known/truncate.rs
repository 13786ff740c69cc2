// Generated from knowledge/programs/truncate.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "truncate",
        "truncate(1) coreutils 9.4, compared with 9.1",
        "-c|--no-create -o|--io-blocks -r|--reference=look -s|--size=num",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-s"], &["0*", "<0*", "/0*", "%0*", "*…*"]),
            ],
            acts: &[
                Act::Empties,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-r"], &["/dev/null"]),
            ],
            acts: &[
                Act::Empties,
            ],
        },
    ])
    ,
];
