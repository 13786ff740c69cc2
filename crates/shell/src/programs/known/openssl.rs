// Generated from knowledge/programs/openssl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "openssl",
        "openssl(1) 3.0",
        "\
            -in|-inkey|-key|-CA|-CAkey|-CAfile|-cert|-certfile=read \
            -kfile|-config|-extfile|-sign|-verify|-signature|-untrusted|-rand=read \
            -out|-keyout|-writerand|-CAserial=write -engine|-provider|-provider-path=data \
            -connect|-host|-url=data -pass|-passin|-passout=data",
        "data*",
    )
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["storeutl"]),
            ],
            acts: &[
                Act::Mentions,
                Act::Finding("shell.secret_read", "prints the keys of a store"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["-engine"], fits: &[], except: &["default", "legacy",
                    "base", "fips"], after: &[] }, Role::File("native")),
                Act::Picked(Pick { at: &["-pass"], fits: &["file:*"], except: &[], after: &["file:"] }, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-connect"]),
            ],
            acts: &[
                Act::Prints(Output::Network),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-connect"]),
                Condition::Stdin(Arrives::Empty),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["-connect"], fits: &[], except: &[], after: &[] },
                    "tls", Direction::Both, &[], "", false),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-connect"]),
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["-connect"], fits: &[], except: &[], after: &[] },
                    "tls", Direction::Both, &[], "", true),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-connect"]),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["-connect"], fits: &[], except: &[], after: &[] },
                    "tls", Direction::Both, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["engine"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::File("native")),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["s_server"]),
            ],
            acts: &[
                Act::Listens("*", "tls", &[]),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["enc", "base64", "smime", "cms", "pkeyutl", "rsautl", "zlib"]),
            ],
            acts: &[
                Act::Prints(Output::Filtered),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["enc", "base64", "smime", "cms", "pkeyutl", "rsautl", "zlib"]),
                Condition::Word(&["-d", "-decrypt", "-a"]),
            ],
            acts: &[
                Act::Prints(Output::Decoded),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["enc", "base64", "smime", "cms", "pkeyutl", "rsautl", "zlib"]),
                Condition::Lacks(&["-out"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["engine"]),
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["req", "genrsa", "genpkey", "ca", "s_server", "s_client", "s_time",
                        "ocsp", "enc", "rehash", "sh", "engine", "storeutl"]),
                Condition::Lacks(&["-out"]),
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .taken_over()
    ,
];
