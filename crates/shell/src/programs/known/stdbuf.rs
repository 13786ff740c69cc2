// Generated from knowledge/programs/stdbuf.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "stdbuf gstdbuf",
        "stdbuf(1) coreutils 9.4, compared with 9.1",
        "-i|--input=data -o|--output=data -e|--error=data",
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
