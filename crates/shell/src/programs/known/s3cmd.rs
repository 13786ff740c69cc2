// Generated from knowledge/programs/s3cmd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "s3cmd s5cmd mc gsutil b2 azcopy",
        "s3cmd 2.4",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::network::store),
            ],
        },
    ])
    .taken_over()
    ,
];
