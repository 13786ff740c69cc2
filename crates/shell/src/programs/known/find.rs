// Generated from knowledge/programs/find.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "find gfind bfs",
        "find(1) findutils 4.9",
        "",
        "",
    )
    .style(Style::Raw)
    .answers()
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::find::find),
            ],
        },
    ])
    ,
];
