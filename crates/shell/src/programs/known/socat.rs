// Generated from knowledge/programs/socat.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "socat",
        "socat(1) 1.8",
        "",
        "",
    )
    .style(Style::Raw)
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::network::socat),
            ],
        },
    ])
    .taken_over()
    ,
];
