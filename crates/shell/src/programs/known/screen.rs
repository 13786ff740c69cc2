// Generated from knowledge/programs/screen.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "screen tmux byobu zellij dtach abduco",
        "tmux(1) 3.4, screen(1) 4.9",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::processes::multiplexer),
            ],
        },
    ])
    .taken_over()
    ,
];
