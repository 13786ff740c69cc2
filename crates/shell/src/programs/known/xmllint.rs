// Generated from knowledge/programs/xmllint.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            xmllint xpath xml xmlstarlet tidy html2text pup htmlq w3m-dump pdfinfo exiftool-read mediainfo \
            identify ffprobe",
        "xmllint(1) 2.12",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::text::look_at_operands),
            ],
        },
    ])
    .taken_over()
    ,
];
