// Generated from knowledge/programs/setsid.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "setsid",
        "setsid(1) util-linux 2.39, compared with 2.38",
        "-c|--ctty -f|--fork -w|--wait",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
];
