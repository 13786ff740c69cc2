// Generated from knowledge/programs/pkill.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "pkill killall killall5 skill snice xkill fuser taskkill",
        "pkill(1) procps 4.0",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::processes::by_name),
            ],
        },
    ])
    .taken_over()
    ,
];
