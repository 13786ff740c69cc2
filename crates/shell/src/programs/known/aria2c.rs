// Generated from knowledge/programs/aria2c.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "aria2c axel lftp lftpget ncftpget youtube-dl yt-dlp gallery-dl you-get hurl",
        "aria2c(1) 1.37",
        "",
        "",
    )
    .style(Style::Raw)
    .prints(Output::Network)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::network::downloader),
            ],
        },
    ])
    .taken_over()
    ,
];
