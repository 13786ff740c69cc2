// Generated from knowledge/programs/tee.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "tee",
        "tee(1) coreutils 9.4",
        "-a|--append -i|--ignore-interrupts -p --output-error?=data",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::coreutils::tee),
            ],
        },
    ])
    .taken_over()
    ,
];
