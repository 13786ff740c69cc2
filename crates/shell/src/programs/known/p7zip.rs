// Generated from knowledge/programs/p7zip.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "7z 7za 7zr p7zip rar unrar unar lsar arj lha cabextract zpaq",
        "7z(1) 16.02, unrar(1) 6.2",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::seven),
            ],
        },
    ])
    .taken_over()
    ,
];
