// Generated from knowledge/programs/faketime.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "faketime",
        "faketime(1) 0.9.10",
        "-f -m -p=num --date-prog=prog --exclude-monotonic",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(1),
            ],
        },
    ])
    ,
];
