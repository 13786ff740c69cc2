// Generated from knowledge/programs/sponge.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "sponge",
        "sponge(1) moreutils 0.67",
        "-a",
        "inplace*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-a"]),
                Condition::Stdin(Arrives::Empty),
            ],
            acts: &[
                Act::Empties,
            ],
        },
    ])
    ,
];
