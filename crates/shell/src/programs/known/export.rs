// Generated from knowledge/programs/export.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "export declare typeset readonly local integer float",
        "bash(1) 5.2",
        "",
        "",
    )
    .style(Style::Raw)
    .answers()
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::builtins::declare),
            ],
        },
    ])
    ,
];
