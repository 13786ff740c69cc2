// Generated from knowledge/programs/aria2c.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "aria2c",
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
                Condition::Contains(&["--conf-path"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "reads settings that may name a command"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--dir=", "--out=", "--log", "--save-", "--server-stat-of",
                        "--dht-file-path", "--input-file", "--load-cookies"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Mentions,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["-i", "-l"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Mentions,
            ],
        },
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
        "-o|--output|-O|--out=download -d|--dir|-P=download -e|-c=lang:ftp -f=file:ftp",
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
        "yt-dlp youtube-dl",
        "yt-dlp --help 2023.03",
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
                Condition::Contains(&["--config-location", "--plugin-dirs", "--ffmpeg-location",
                        "--downloader", "--use-postprocessor"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "names a program, or settings that may, which `{program}` runs"),
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["--external-downloader-args", "--postprocessor-args", "--ppa"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "names a program, or settings that may, which `{program}` runs"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--cookies-from-browser"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "reads what a browser keeps of its user"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--print-to-file", "--download-archive", "--cookies", "--cache-dir",
                        "--batch-file", "--load-info"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Mentions,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["-a"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Mentions,
            ],
        },
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
        "lftpget ncftpget gallery-dl you-get hurl",
        "lftpget(1) 4.9, gallery-dl 1.24",
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
                Condition::Contains(&["--exec", "--config", "--postprocessor", "--cookies-from-browser"]),
                Condition::Program(&["gallery-dl"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "names settings or a command that `{program}` runs"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["hurl"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Mentions,
            ],
        },
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
        "axel",
        "axel(1) 2.17",
        "-o|--output|-O|--out=download -d|--dir|-P=download",
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
];
