// Generated from knowledge/programs/ed.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ed red",
        "ed(1) 1.20",
        "-p=data -s -E -r -G -l -v --restricted --extended-regexp --traditional",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::editors::ed),
            ],
        },
    ])
    .taken_over()
    ,
];
