// Generated from knowledge/programs/vault.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const CONNECTION: &str = "\
    -address=choose -agent-address=choose -ca-cert=read -ca-path=read -client-cert=read -client-key=read \
    -disable-redirects -field=data -format=data -header=data -log-level=data -mfa=secret -mount=data \
    -namespace|-ns=data -non-interactive -output-curl-string -output-policy -policy-override \
    -tls-server-name=data -tls-skip-verify -unlock-key=secret -wrap-ttl=data -version=data -versions=data \
    -cas=data -h -help -detailed -force|-f -metadata?=data -mode=data -prefix -method=data -no-print \
    -no-store -path=data -token-only -accessor -self -ttl=data -period=data -policy=data -orphan \
    -display-name=data -id=data -increment=data -delete-version-after=data -max-versions=num \
    -custom-metadata=data";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "vault bao",
        "vault -help 1.15",
        "-v --version",
        "",
    )
    .also(CONNECTION)
    .style(Style::Word)
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
            "status version version-history path-help",
            "vault -help 1.15",
            "",
            "data*",
        )
        .also(CONNECTION)
        .style(Style::Word)
        ,
        reads(
            "list",
            "vault -help 1.15",
            "",
            "data*",
        )
        .also(CONNECTION)
        .style(Style::Word)
        ,
        works(
            "read unwrap",
            "vault -help 1.15",
            "",
            "",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "vault prints secrets"),
                ],
            },
        ])
        ,
        works(
            "write",
            "vault -help 1.15",
            "",
            "data*",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ReadsAfter(&["@"]),
                    Act::Contacts("vault", "https", Direction::Send),
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["sys/policy*", "sys/policies*", "sys/auth*", "auth/*/role*",
                        "auth/*/config"]),
                ],
                acts: &[
                    Act::Finding("shell.privilege", "changes who may read which secret"),
                ],
            },
        ])
        ,
        works(
            "patch",
            "vault -help 1.15",
            "",
            "data*",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ReadsAfter(&["@"]),
                    Act::Contacts("vault", "https", Direction::Send),
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["sys/policy*", "sys/policies*", "sys/auth*", "auth/*/role*",
                        "auth/*/config"]),
                ],
                acts: &[
                    Act::Finding("shell.privilege", "changes who may read which secret"),
                ],
            },
        ])
        ,
        works(
            "license",
            "vault -help 1.15",
            "",
            "",
        )
        .style(Style::Word)
        .subs(&[
            reads(
                "get",
                "vault -help 1.15",
                "",
                "",
            )
            .also(CONNECTION)
            .style(Style::Word)
            ,
            reads(
                "inspect",
                "vault -help 1.15",
                "",
                "read",
            )
            .style(Style::Word)
            ,
        ])
        ,
        works(
            "delete",
            "vault -help 1.15",
            "",
            "data*",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "destroys stored secrets or access to them"),
                ],
            },
        ])
        ,
        works(
            "kv",
            "vault -help 1.15",
            "",
            "",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .subs(&[
            works(
                "get",
                "vault -help 1.15",
                "",
                "",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "vault prints secrets"),
                    ],
                },
            ])
            ,
            reads(
                "list",
                "vault -help 1.15",
                "",
                "data*",
            )
            .also(CONNECTION)
            .style(Style::Word)
            ,
            works(
                "put patch enable-versioning",
                "vault -help 1.15",
                "",
                "data*",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::ReadsAfter(&["@"]),
                        Act::Contacts("vault", "https", Direction::Send),
                    ],
                },
            ])
            ,
            works(
                "undelete rollback",
                "vault -help 1.15",
                "",
                "data*",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("vault", "https", Direction::Send),
                    ],
                },
            ])
            ,
            works(
                "delete destroy",
                "vault -help 1.15",
                "",
                "",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.data_loss", "destroys stored secrets or access to them"),
                    ],
                },
            ])
            ,
            works(
                "metadata",
                "vault -help 1.15",
                "",
                "",
            )
            .style(Style::Word)
            .subs(&[
                reads(
                    "get",
                    "vault -help 1.15",
                    "",
                    "data*",
                )
                .also(CONNECTION)
                .style(Style::Word)
                ,
                works(
                    "put patch",
                    "vault -help 1.15",
                    "",
                    "data*",
                )
                .also(CONNECTION)
                .style(Style::Word)
                .rules(&[
                    Rule {
                        when: &[
                        ],
                        acts: &[
                            Act::Contacts("vault", "https", Direction::Send),
                        ],
                    },
                ])
                ,
                works(
                    "delete",
                    "vault -help 1.15",
                    "",
                    "",
                )
                .also(CONNECTION)
                .style(Style::Word)
                .rules(&[
                    Rule {
                        when: &[
                        ],
                        acts: &[
                            Act::Finding("shell.data_loss", "destroys stored secrets or access to them"),
                        ],
                    },
                ])
                ,
            ])
            ,
        ])
        ,
        works(
            "policy auth namespace plugin secrets audit",
            "vault -help 1.15",
            "",
            "",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .subs(&[
            reads(
                "list help read info",
                "vault -help 1.15",
                "",
                "data*",
            )
            .also(CONNECTION)
            .style(Style::Word)
            ,
            works(
                "write enable register tune create",
                "vault -help 1.15",
                "\
                    -args=data -command=data -download -env=data -oci_image=data -runtime=data \
                    -sha256=data",
                "",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(1, false, Role::Read),
                        Act::Contacts("vault", "https", Direction::Send),
                        Act::Finding("shell.privilege", "changes who may read which secret, or what vault runs"),
                    ],
                },
            ])
            ,
            works(
                "delete disable deregister move reload reload-status lock unlock patch",
                "vault -help 1.15",
                "",
                "",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.data_loss", "destroys stored secrets or access to them"),
                    ],
                },
            ])
            ,
            works(
                "fmt",
                "vault -help 1.15",
                "",
                "",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::InPlace),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "token",
            "vault -help 1.15",
            "",
            "",
        )
        .style(Style::Word)
        .subs(&[
            works(
                "create",
                "vault -help 1.15",
                "",
                "",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "makes and prints a token"),
                    ],
                },
            ])
            ,
            works(
                "revoke",
                "vault -help 1.15",
                "",
                "",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.data_loss", "takes access to secrets away"),
                    ],
                },
            ])
            ,
            reads(
                "lookup capabilities",
                "vault -help 1.15",
                "",
                "data*",
            )
            .also(CONNECTION)
            .style(Style::Word)
            ,
            works(
                "renew",
                "vault -help 1.15",
                "",
                "data*",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("vault", "https", Direction::Send),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "lease",
            "vault -help 1.15",
            "",
            "",
        )
        .style(Style::Word)
        .subs(&[
            reads(
                "lookup",
                "vault -help 1.15",
                "",
                "data*",
            )
            .also(CONNECTION)
            .style(Style::Word)
            ,
            works(
                "renew",
                "vault -help 1.15",
                "",
                "data*",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("vault", "https", Direction::Send),
                    ],
                },
            ])
            ,
            works(
                "revoke",
                "vault -help 1.15",
                "-sync",
                "",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.data_loss", "takes access to secrets away"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "login",
            "vault -help 1.15",
            "",
            "data*",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("vault", "https", Direction::Send),
                ],
            },
        ])
        ,
        works(
            "print",
            "vault -help 1.15",
            "",
            "",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints the token in use"),
                ],
            },
        ])
        ,
        works(
            "ssh",
            "vault -help 1.15",
            "\
                -host-key-hostnames=data -host-key-mount-point=data -no-exec -role=data \
                -private-key-path=read -public-key-path=read -strict-host-key-checking=data \
                -user-known-hosts-file=read -mount-point=data",
            "",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Host),
                    Act::RunsRemote(1, "the host that vault signed a key for"),
                ],
            },
        ])
        ,
        works(
            "operator",
            "vault -help 1.15",
            "",
            "",
        )
        .style(Style::Word)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "seals, rekeys or moves the store, or prints its keys"),
                ],
            },
        ])
        .subs(&[
            reads(
                "members key-status usage",
                "vault -help 1.15",
                "-end-time=data -start-time=data",
                "",
            )
            .also(CONNECTION)
            .style(Style::Word)
            ,
            works(
                "raft",
                "vault -help 1.15",
                "",
                "",
            )
            .style(Style::Word)
            .otherwise(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.data_loss", "changes which servers keep the store"),
                    ],
                },
            ])
            .subs(&[
                reads(
                    "list-peers",
                    "vault -help 1.15",
                    "",
                    "",
                )
                .also(CONNECTION)
                .style(Style::Word)
                ,
                works(
                    "autopilot",
                    "vault -help 1.15",
                    "",
                    "",
                )
                .style(Style::Word)
                .otherwise(&[
                    Rule {
                        when: &[
                        ],
                        acts: &[
                            Act::Finding("shell.infra", "changes how the cluster keeps its servers"),
                        ],
                    },
                ])
                .subs(&[
                    reads(
                        "get-config state",
                        "vault -help 1.15",
                        "",
                        "",
                    )
                    .also(CONNECTION)
                    .style(Style::Word)
                    ,
                ])
                ,
                works(
                    "snapshot",
                    "vault -help 1.15",
                    "",
                    "",
                )
                .style(Style::Word)
                .subs(&[
                    reads(
                        "inspect",
                        "vault -help 1.15",
                        "",
                        "read",
                    )
                    .also(CONNECTION)
                    .style(Style::Word)
                    ,
                    works(
                        "save",
                        "vault -help 1.15",
                        "",
                        "download",
                    )
                    .also(CONNECTION)
                    .style(Style::Word)
                    .rules(&[
                        Rule {
                            when: &[
                            ],
                            acts: &[
                                Act::Finding("shell.secret_read", "copies everything that vault keeps"),
                            ],
                        },
                    ])
                    ,
                    works(
                        "restore",
                        "vault -help 1.15",
                        "",
                        "read",
                    )
                    .also(CONNECTION)
                    .style(Style::Word)
                    .rules(&[
                        Rule {
                            when: &[
                            ],
                            acts: &[
                                Act::Finding("shell.data_loss", "puts the store back to an earlier state"),
                            ],
                        },
                    ])
                    ,
                ])
                ,
            ])
            ,
            works(
                "migrate",
                "vault -help 1.15",
                "-config=config -max-parallel=num -reset -start=data",
                "",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.data_loss", "writes over another store"),
                    ],
                },
            ])
            ,
            works(
                "init generate-root rekey rotate seal unseal step-down diagnose utilization import",
                "vault -help 1.15",
                "",
                "",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.data_loss", "seals, rekeys or moves the store, or prints its keys"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "server agent proxy",
            "vault -help 1.15",
            "\
                -config=config -dev -dev-root-token-id=secret -dev-listen-address=data -exec=sh \
                -exit-after-auth -log-file=write -recovery -type=data",
            "",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["agent"]),
                    Condition::First(&["generate-config"]),
                ],
                acts: &[
                    Act::WritesFile("agent.hcl"),
                    Act::Operand(1, false, Role::Write),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Listens("*", "https", &["-dev-listen-address"]),
                ],
            },
        ])
        ,
        works(
            "debug",
            "vault -help 1.15",
            "\
                -compress -duration=data -interval=data -log-format=data -metrics-interval=data \
                -output=write -target=data",
            "",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "vault prints what it keeps"),
                ],
            },
        ])
        ,
        works(
            "monitor pki transit transform hcp events pgp",
            "vault -help 1.15",
            "",
            "",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "vault prints what it keeps"),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
];
