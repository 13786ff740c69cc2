// Generated from knowledge/programs/at.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "at batch",
        "at(1) 3.2",
        "-q=data -m -M -t=data -f=data -l -d -r -c -v -V",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::at),
            ],
        },
    ])
    .taken_over()
    ,
];
