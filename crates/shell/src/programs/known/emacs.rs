// Generated from knowledge/programs/emacs.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "emacs emacsclient xemacs mg zile",
        "emacs(1) 29",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::editors::emacs),
            ],
        },
    ])
    .taken_over()
    ,
];
