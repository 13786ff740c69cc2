// Generated from knowledge/programs/fdupes.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "fdupes jdupes rdfind rmlint stow systemd-tmpfiles debugfs bleachbit",
        "fdupes(1) 2.2, stow(8) 2.3, systemd-tmpfiles(8) 255",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::coreutils::fdupes),
            ],
        },
    ])
    .taken_over()
    ,
];
