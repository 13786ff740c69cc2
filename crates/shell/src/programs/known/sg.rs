// Generated from knowledge/programs/sg.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "sg newgrp",
        "sg(1) 4.13",
        "-c=data",
        "",
    )
    .style(Style::Gnu)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::sg),
            ],
        },
    ])
    .taken_over()
    ,
];
