// Generated from knowledge/programs/aria2c.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "aria2c axel",
        "aria2c(1) 1.37",
        "\
            -o|--output|-O|--out=download -d|--dir|-P=download --on-bt-download-complete=sh \
            --on-download-complete=sh --on-download-error=sh --on-download-pause=sh --on-download-start=sh \
            --on-download-stop=sh",
        "data*",
    )
    .style(Style::LenientWord)
    .prints(Output::Network)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["*://*"], except: &[], after: &[] }, Role::Saved),
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["*://*"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "lftp",
        "lftp(1) 4.9",
        "-o|--output|-O|--out=download -d|--dir|-P=download -e|-c=lang:ftp",
        "data*",
    )
    .style(Style::LenientWord)
    .prints(Output::Network)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "https",
                    Direction::Fetch, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["*://*"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "lftpget ncftpget youtube-dl yt-dlp gallery-dl you-get hurl",
        "yt-dlp(1) 2024.03",
        "\
            -o|--output|-O|--out=download -d|--dir|-P=download \
            --exec|--on-download-complete|-e|--external-downloader=sh",
        "data*",
    )
    .style(Style::LenientWord)
    .prints(Output::Network)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "https",
                    Direction::Fetch, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["*://*"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
            ],
        },
    ])
    .taken_over()
    ,
];
