// Generated from knowledge/programs/doas.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "doas",
        "doas(1) 6.8",
        "-L -n -s -C=file -u=data -a=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::doas),
            ],
        },
    ])
    .taken_over()
    ,
];
