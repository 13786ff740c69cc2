// Generated from knowledge/programs/envsubst.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "envsubst",
        "envsubst(1) gettext 0.22, compared with 0.21",
        "-h|--help -V|--version -v|--variables",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-v"]),
            ],
            acts: &[
                Act::Environment(false),
            ],
        },
    ])
    ,
];
