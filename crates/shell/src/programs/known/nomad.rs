// Generated from knowledge/programs/nomad.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const CONNECTION: &str = "\
    -address=choose -region=data -namespace=data -token=secret -ca-cert=read -ca-path=read \
    -client-cert=read -client-key=read -tls-server-name=data -tls-skip-verify -no-color -force-color -json \
    -t=data -verbose -short -h -help";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "nomad",
        "nomad help 1.7",
        "-version",
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
            "version",
            "nomad help 1.7",
            "",
            "",
        )
        .style(Style::Word)
        ,
        reads(
            "status",
            "nomad help 1.7",
            "",
            "data*",
        )
        .also(CONNECTION)
        .style(Style::Word)
        ,
        works(
            "job",
            "nomad help 1.7",
            "",
            "",
        )
        .style(Style::Word)
        .subs(&[
            reads(
                "status history deployments inspect allocs",
                "nomad help 1.7",
                "-version=num -p -full -all-allocs -evals -hcl -with-vars",
                "data*",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["-with-vars"]),
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "prints the values that a job was given"),
                    ],
                },
            ])
            ,
            works(
                "validate plan run",
                "nomad help 1.7",
                "\
                    -check-index=num -consul-namespace=data -consul-token=secret -vault-namespace=data \
                    -vault-token=secret -detach -eval-priority=num -hcl1 -hcl2-strict?=data -output \
                    -policy-override -preserve-counts -var=data -var-file=read -diff?=data",
                "read*",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Operand(&["*://*", "git::*", "git@*"]),
                    ],
                    acts: &[
                        Act::ContactsUnknown("https", Direction::Fetch),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Called(&["run"]),
                        Condition::Operand(&["*://*", "git::*", "git@*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.remote_code", "runs a job from an address"),
                    ],
                },
            ])
            ,
            works(
                "stop",
                "nomad help 1.7",
                "-purge -detach -global -yes -eval-priority=num -no-shutdown-delay",
                "",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "`nomad job stop` stops what runs"),
                    ],
                },
            ])
            ,
            works(
                "revert promote scale restart dispatch eval periodic start tag action init",
                "nomad help 1.7",
                "",
                "",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "`nomad {command}` changes what runs"),
                        Act::Mentions,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "run plan validate",
            "nomad help 1.7",
            "\
                -var=data -var-file=read -check-index=num -consul-namespace=data -consul-token=secret \
                -detach -diff?=data -eval-priority=num -hcl1 -hcl2-strict?=data -output -policy-override \
                -preserve-counts -vault-namespace=data -vault-token=secret",
            "read*",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operand(&["*://*", "git::*", "git@*"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["run"]),
                    Condition::Operand(&["*://*", "git::*", "git@*"]),
                ],
                acts: &[
                    Act::Finding("shell.remote_code", "runs a job from an address"),
                ],
            },
        ])
        ,
        reads(
            "logs",
            "nomad help 1.7",
            "-stderr -stdout -job -f -n=num -c=num -tail -task=data",
            "data*",
        )
        .also(CONNECTION)
        .style(Style::Word)
        ,
        reads(
            "inspect",
            "nomad help 1.7",
            "-version=num -hcl -with-vars",
            "data*",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-with-vars"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints the values that a job was given"),
                ],
            },
        ])
        ,
        works(
            "action",
            "nomad help 1.7",
            "-job=data -alloc=data -task=data -group=data -i?=data -e=data",
            "data*",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.infra", "`nomad action` runs a command of a job"),
                ],
            },
        ])
        ,
        works(
            "fmt",
            "nomad help 1.7",
            "-check -list?=data -recursive -write?=data",
            "",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-check"]),
                ],
                acts: &[
                    Act::Operand(0, true, Role::Look),
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["-write"], &["false"]),
                ],
                acts: &[
                    Act::Operand(0, true, Role::Look),
                    Act::OnlyReads,
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, true, Role::InPlace),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::WritesFile("*.nomad"),
                ],
            },
        ])
        ,
        works(
            "stop",
            "nomad help 1.7",
            "-purge -detach -yes",
            "",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.infra", "`nomad stop` stops what runs"),
                ],
            },
        ])
        ,
        works(
            "alloc exec",
            "nomad help 1.7",
            "",
            "",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .subs(&[
            reads(
                "status checks",
                "nomad help 1.7",
                "-stats",
                "data*",
            )
            .also(CONNECTION)
            .style(Style::Word)
            ,
            reads(
                "logs fs",
                "nomad help 1.7",
                "-stderr -stdout -job -f -n=num -c=num -tail -H -stat -task=data",
                "data*",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Operand(&["*secret*", "*/env*", "*/proc/*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "reads a job's secrets"),
                    ],
                },
            ])
            ,
            works(
                "exec",
                "nomad help 1.7",
                "-i?=data -t?=data -e=data -job -task=data",
                "",
            )
            .also(CONNECTION)
            .style(Style::WordPosix)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::RunsInside(1, ""),
                    ],
                },
            ])
            ,
            works(
                "stop restart signal pause",
                "nomad help 1.7",
                "",
                "",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "`nomad {command}` stops or disturbs what runs"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "var",
            "nomad help 1.7",
            "",
            "",
        )
        .style(Style::Word)
        .subs(&[
            works(
                "get",
                "nomad help 1.7",
                "",
                "",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "prints a stored variable, secrets too"),
                    ],
                },
            ])
            ,
            works(
                "list init",
                "nomad help 1.7",
                "",
                "",
            )
            .also(CONNECTION)
            .style(Style::Word)
            ,
            works(
                "put purge lock",
                "nomad help 1.7",
                "",
                "",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "changes or deletes stored variables"),
                        Act::Mentions,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "acl",
            "nomad help 1.7",
            "",
            "",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.privilege", "changes or prints who may do what in the cluster"),
                ],
            },
        ])
        .subs(&[
            works(
                "bootstrap policy role token auth-method binding-rule",
                "nomad help 1.7",
                "",
                "",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.privilege", "changes or prints who may do what in the cluster"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "operator system node namespace quota sentinel volume",
            "nomad help 1.7",
            "",
            "data*",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Path(&["snapshot/save", "snapshot/agent", "debug"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "copies what the cluster keeps"),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["system", "operator"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "`nomad {command}` changes the cluster itself"),
                ],
            },
            Rule {
                when: &[
                    Condition::Verb(&["drain", "delete", "apply", "deregister", "detach", "eligibility",
                        "purge", "gc", "restore", "force-leave", "remove-peer", "create"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "`nomad {command} {first}` changes or deletes what runs"),
                ],
            },
            Rule {
                when: &[
                    Condition::Verb(&["register"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "`nomad {command} {first}` changes or deletes what runs"),
                ],
            },
        ])
        ,
        works(
            "server service deployment eval monitor plugin scaling ui",
            "nomad help 1.7",
            "",
            "data*",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Verb(&["force-leave", "join", "fail", "promote", "pause", "unblock", "delete"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "`nomad {command} {first}` changes what runs"),
                ],
            },
        ])
        ,
        works(
            "agent agent-info login license setup tls recommendation",
            "nomad help 1.7",
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
                    Act::Mentions,
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
    works(
        "consul",
        "consul help 1.17",
        "-version",
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
            "version",
            "consul help 1.17",
            "",
            "",
        )
        .style(Style::Word)
        ,
        reads(
            "members info rtt catalog validate",
            "consul help 1.17",
            "\
                -http-addr=choose -wan -detailed -status=data -segment=data -tags -service=data -quiet",
            "data*",
        )
        .also(CONNECTION)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["validate"]),
                ],
                acts: &[
                    Act::Operand(0, true, Role::Look),
                ],
            },
        ])
        ,
        works(
            "kv",
            "consul help 1.17",
            "",
            "",
        )
        .style(Style::Word)
        .subs(&[
            works(
                "get export",
                "consul help 1.17",
                "",
                "",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "prints what the cluster keeps, secrets too"),
                    ],
                },
            ])
            ,
            works(
                "put import",
                "consul help 1.17",
                "",
                "",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "changes what the cluster keeps"),
                        Act::Mentions,
                    ],
                },
            ])
            ,
            works(
                "delete",
                "consul help 1.17",
                "-recurse -cas -modify-index=num",
                "data*",
            )
            .also(CONNECTION)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "deletes what the cluster keeps"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "snapshot",
            "consul help 1.17",
            "",
            "",
        )
        .style(Style::Word)
        .subs(&[
            works(
                "save agent",
                "consul help 1.17",
                "",
                "",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::Write),
                        Act::Finding("shell.secret_read", "copies what the cluster keeps"),
                    ],
                },
            ])
            ,
            works(
                "inspect decode",
                "consul help 1.17",
                "",
                "",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::Read),
                    ],
                },
            ])
            ,
            works(
                "restore",
                "consul help 1.17",
                "",
                "",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::Read),
                        Act::Finding("shell.infra", "replaces what the cluster keeps"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "exec",
            "consul help 1.17",
            "-node=data -service=data -tag=data -wait=data -prefix=data -shell?=data",
            "",
        )
        .also(CONNECTION)
        .style(Style::WordPosix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsRemote(0, "every machine of the cluster"),
                    Act::Finding("shell.infra", "runs a command on every machine of the cluster"),
                ],
            },
        ])
        ,
        works(
            "lock",
            "consul help 1.17",
            "\
                -child-exit-code -monitor-retry=num -n=num -name=data -pass-stdin -shell?=data -try=data",
            "",
        )
        .also(CONNECTION)
        .style(Style::WordPosix)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(2, 2),
                ],
                acts: &[
                    Act::Operand(1, false, Role::Shell),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(3, usize::MAX),
                ],
                acts: &[
                    Act::Runs(1),
                ],
            },
        ])
        ,
        works(
            "watch",
            "consul help 1.17",
            "-type=data -key=data -prefix=data -service=data -shell?=data -http-addr=choose",
            "",
        )
        .also(CONNECTION)
        .style(Style::WordPosix)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(1, 1),
                ],
                acts: &[
                    Act::Operand(0, false, Role::Shell),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(2, usize::MAX),
                ],
                acts: &[
                    Act::Runs(0),
                ],
            },
        ])
        ,
        works(
            "acl login logout connect",
            "consul help 1.17",
            "",
            "",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.privilege", "changes or prints who may do what in the cluster"),
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "\
                leave force-leave reload maint join operator services config keyring intention peering",
            "consul help 1.17",
            "",
            "",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.infra", "`consul {command}` changes the cluster"),
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "agent debug event monitor keygen tls troubleshoot resource",
            "consul help 1.17",
            "",
            "",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
];
