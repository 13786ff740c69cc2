// Generated from knowledge/programs/printenv.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "printenv",
        "printenv(1) coreutils 9.4, compared with 9.1",
        "-0|--null",
        "env*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Environment(true),
            ],
        },
    ])
    ,
];
