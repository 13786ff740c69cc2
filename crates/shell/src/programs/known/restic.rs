// Generated from knowledge/programs/restic.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "restic borg duplicity tarsnap kopia rdiff-backup duplicacy bup",
        "restic 0.16, borg 1.2",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::backup),
            ],
        },
    ])
    .taken_over()
    ,
];
