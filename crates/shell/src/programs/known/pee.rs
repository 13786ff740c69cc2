// Generated from knowledge/programs/pee.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "pee",
        "pee(1) moreutils 0.67",
        "--ignore-sigpipe --no-ignore-sigpipe --ignore-write-errors --no-ignore-write-errors",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::Shell),
                Act::Transparent,
            ],
        },
    ])
    ,
];
