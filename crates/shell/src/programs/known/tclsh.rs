// Generated from knowledge/programs/tclsh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "tclsh wish tcl",
        "tclsh(1) 8.6",
        "-encoding=data",
        "",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("tcl", &[]),
            ],
        },
    ])
    .taken_over()
    ,
];
