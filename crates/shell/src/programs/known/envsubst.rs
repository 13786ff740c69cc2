// Generated from knowledge/programs/envsubst.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "envsubst",
        "envsubst(1) gettext 0.22",
        "-v|--variables",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Environment(false),
            ],
        },
    ])
    .taken_over()
    ,
];
