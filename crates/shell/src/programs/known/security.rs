// Generated from knowledge/programs/security.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            security keyring lpass op bw pass-cli kwallet-query chezmoi vault-ssh ykman gopass rbw",
        "security(1) macOS 14",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["--version", "help", "status", "list-keychains", "default-keychain"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["show-keychain-info", "diff", "managed", "verify-cert", "info"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} hands out stored secrets"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "secret-tool",
        "secret-tool(1) 0.21, compared with 0.20",
        "",
        "",
    )
    .style(Style::Lenient)
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} hands out stored secrets"),
            ],
        },
    ])
    .subs(&[
        works(
            "store",
            "secret-tool(1) 0.21, compared with 0.20",
            "--label|-l=data",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "lookup",
            "secret-tool(1) 0.21, compared with 0.20",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints a stored secret"),
                ],
            },
        ])
        ,
        works(
            "search",
            "secret-tool(1) 0.21, compared with 0.20",
            "--all --unlock",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints stored secrets"),
                ],
            },
        ])
        ,
        works(
            "clear",
            "secret-tool(1) 0.21, compared with 0.20",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "deletes stored secrets"),
                ],
            },
        ])
        ,
    ])
    ,
    works(
        "keyctl",
        "keyctl(1) 1.6.3",
        "--version",
        "",
    )
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Works,
            ],
        },
    ])
    .subs(&[
        reads(
            "show list rlist describe rdescribe security supports id pkey_query",
            "keyctl(1) 1.6.3",
            "-x",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "read pipe print dh_compute dh_compute_kdf dh_compute_kdf_oi",
            "keyctl(1) 1.6.3",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints a stored key"),
                ],
            },
        ])
        ,
        works(
            "pkey_encrypt pkey_sign pkey_verify",
            "keyctl(1) 1.6.3",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(2, true, Role::Read),
                ],
            },
        ])
        ,
        works(
            "pkey_decrypt",
            "keyctl(1) 1.6.3",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(2, true, Role::Read),
                    Act::Finding("shell.secret_read", "prints what it decrypts"),
                ],
            },
        ])
        ,
        works(
            "revoke invalidate clear unlink purge reap timeout",
            "keyctl(1) 1.6.3",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "takes stored keys away"),
                ],
            },
        ])
        ,
        works(
            "session",
            "keyctl(1) 1.6.3",
            "",
            "",
        )
        .style(Style::Posix)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 1),
                ],
                acts: &[
                    Act::RunsStdin("shell"),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Wraps(1),
                ],
            },
        ])
        ,
        works(
            "watch_session",
            "keyctl(1) 1.6.3",
            "-f=data -n=data",
            "",
        )
        .style(Style::Posix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Write),
                    Act::Operand(1, false, Role::Write),
                    Act::Wraps(3),
                ],
            },
        ])
        ,
    ])
    ,
];
