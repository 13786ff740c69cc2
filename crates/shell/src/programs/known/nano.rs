// Generated from knowledge/programs/nano.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            nano pico micro joe jed ne kak helix hx mcedit gedit kate kwrite leafpad mousepad notepad \
            textedit ee jmacs acme amp-editor",
        "nano(1) 7.2",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::editors::plain),
            ],
        },
    ])
    .taken_over()
    ,
];
