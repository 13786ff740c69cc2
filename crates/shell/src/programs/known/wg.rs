// Generated from knowledge/programs/wg.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "wg",
        "wg(8) 1.0.20210914",
        "",
        "",
    )
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
    .subs(&[
        reads(
            "show",
            "wg(8) 1.0.20210914",
            "",
            "data*",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["dump"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "shows a private key"),
                ],
            },
        ])
        ,
        reads(
            "showconf",
            "wg(8) 1.0.20210914",
            "",
            "data*",
        )
        ,
        reads(
            "genkey genpsk pubkey help",
            "wg(8) 1.0.20210914",
            "",
            "",
        )
        ,
        works(
            "set",
            "wg(8) 1.0.20210914",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("tunnel", Direction::Both),
                    Act::Finding("shell.upload", "changes a way into or out of this machine"),
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "setconf addconf syncconf",
            "wg(8) 1.0.20210914",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(1, false, Role::Read),
                    Act::ContactsUnknown("tunnel", Direction::Both),
                    Act::Finding("shell.upload", "changes a way into or out of this machine"),
                ],
            },
        ])
        ,
    ])
    ,
    works(
        "wg-quick",
        "wg-quick(8) 1.0.20210914",
        "",
        "",
    )
    .subs(&[
        works(
            "up down",
            "wg-quick(8) 1.0.20210914",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["*/*", "*.conf"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::Config),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::Root, "runs what the settings of a tunnel say"),
                    Act::ContactsUnknown("tunnel", Direction::Both),
                    Act::Finding("shell.upload", "opens a way into or out of this machine"),
                ],
            },
        ])
        ,
        works(
            "save",
            "wg-quick(8) 1.0.20210914",
            "",
            "data",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::Root, "writes the settings of a tunnel"),
                ],
            },
        ])
        ,
        reads(
            "strip",
            "wg-quick(8) 1.0.20210914",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["*/*", "*.conf"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::Read),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "shows a private key"),
                ],
            },
        ])
        ,
    ])
    ,
    works(
        "\
            openvpn tailscale zerotier-cli nebula ngrok cloudflared localtunnel lt bore frpc frps chisel \
            serveo sshuttle tor pagekite",
        "tailscale 1.58, ngrok 3",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["status", "version", "show", "ip", "netcheck", "info", "--version"]),
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
                Act::ContactsUnknown("tunnel", Direction::Both),
                Act::Finding("shell.upload", "{program} opens a way into or out of this machine"),
            ],
        },
    ])
    .taken_over()
    ,
];
