// Generated from knowledge/programs/mkdir.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "mkdir",
        "mkdir(1) coreutils 9.1",
        "-m|--mode=data -p|--parents -v|--verbose -Z --context?=data",
        "write*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Mode("-m"),
            ],
        },
    ])
    ,
];
