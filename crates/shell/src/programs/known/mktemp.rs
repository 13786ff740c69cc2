// Generated from knowledge/programs/mktemp.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "mktemp tempfile",
        "mktemp(1) coreutils 9.4",
        "-d|--directory -u|--dry-run -q|--quiet --suffix=data -p=data --tmpdir?=data -t",
        "data*",
    )
    .prints(Output::Other)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::coreutils::mktemp),
            ],
        },
    ])
    .taken_over()
    ,
];
