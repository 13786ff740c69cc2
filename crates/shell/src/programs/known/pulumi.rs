// Generated from knowledge/programs/pulumi.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const GLOBALS: &str = "\
    --color=data -C|--cwd=look --disable-integrity-checking -e|--emoji -Q|--fully-qualify-stack-names \
    --logflow --logtostderr --memprofilerate=num --non-interactive --otel-traces=data --profiling=write \
    --tracing=data -v|--verbose=num -s|--stack=data -j|--json -h|--help";

const OPERATION: &str = "\
    --attach-debugger -c|--config=data --config-file=read --config-path --continue-on-error -d|--debug \
    --diff -x|--exclude=data --exclude-dependents --expect-no-changes -m|--message=data -p|--parallel=num \
    --policy-pack=file --policy-pack-config=read -r|--refresh?=data --remote --remote-agent-pool-id=data \
    --remote-env=data --remote-env-secret=secret --remote-executor-image=data \
    --remote-executor-image-password=secret --remote-executor-image-username=data \
    --remote-git-auth-access-token=secret --remote-git-auth-password=secret \
    --remote-git-auth-ssh-private-key=secret --remote-git-auth-ssh-private-key-path=read \
    --remote-git-auth-username=data --remote-git-branch=data --remote-git-commit=data \
    --remote-git-repo-dir=data --remote-inherit-settings --remote-pre-run-command=data \
    --remote-skip-install-dependencies --replace=data --run-program --secrets-provider=data --show-config \
    --show-full-output --show-policy-remediations --show-reads --show-replacement-steps --show-sames \
    --skip-plugin-pre-install --suppress-outputs --suppress-permalink?=data --suppress-progress \
    --suppress-stream-logs -t|--target=data --target-dependents --target-replace=data --urns";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "pulumi",
        "pulumi help 3.107",
        "",
        "",
    )
    .also(GLOBALS)
    .style(Style::Lenient)
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
            "about whoami",
            "pulumi help 3.107",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        ,
        works(
            "logs",
            "pulumi help 3.107",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("api.pulumi.com", "https", Direction::Both),
                ],
            },
        ])
        ,
        reads(
            "stack",
            "pulumi help 3.107",
            "--show-ids --show-urls --show-secrets -i|--show-name",
            "",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--show-secrets"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints secrets of the stack"),
                ],
            },
        ])
        .subs(&[
            reads(
                "ls list history",
                "pulumi help 3.107",
                "\
                    -a|--all --full-dates -o|--organization=data --page=num --page-size=num \
                    -p|--project=data --show-secrets -t|--tag=data",
                "data*",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["--show-secrets"]),
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "prints secrets of the stack"),
                    ],
                },
            ])
            ,
            works(
                "graph",
                "pulumi help 3.107",
                "",
                "write",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            ,
            works(
                "tag",
                "pulumi help 3.107",
                "",
                "",
            )
            .style(Style::Lenient)
            .subs(&[
                reads(
                    "ls list get",
                    "pulumi help 3.107",
                    "",
                    "data*",
                )
                .also(GLOBALS)
                .style(Style::Lenient)
                ,
                works(
                    "set rm remove",
                    "pulumi help 3.107",
                    "",
                    "data*",
                )
                .style(Style::Lenient)
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
            ,
            reads(
                "output",
                "pulumi help 3.107",
                "--show-secrets --shell",
                "data*",
            )
            .also(GLOBALS)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["--show-secrets"]),
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "prints secrets of the stack"),
                    ],
                },
            ])
            ,
            works(
                "export",
                "pulumi help 3.107",
                "--file=write --show-secrets --version=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["--show-secrets"]),
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "prints secrets of the stack"),
                    ],
                },
            ])
            ,
            works(
                "import",
                "pulumi help 3.107",
                "--file=read -f|--force",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "replaces the record of what runs"),
                    ],
                },
            ])
            ,
            works(
                "rm",
                "pulumi help 3.107",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "`pulumi stack rm` forgets infrastructure"),
                    ],
                },
            ])
            ,
            works(
                "init select rename unselect change-secrets-provider",
                "pulumi help 3.107",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "state",
            "pulumi help 3.107",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            works(
                "delete rename move repair unprotect upgrade",
                "pulumi help 3.107",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "`pulumi {command}` changes the record of what runs"),
                    ],
                },
            ])
            ,
            works(
                "edit",
                "pulumi help 3.107",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "`pulumi state edit` changes the record of what runs"),
                    ],
                },
            ])
            ,
        ])
        ,
        reads(
            "config",
            "pulumi help 3.107",
            "--show-secrets --config-file=read --path",
            "",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--show-secrets"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints secrets of the stack"),
                ],
            },
        ])
        .subs(&[
            works(
                "get",
                "pulumi help 3.107",
                "--path",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "prints a setting in clear text, secrets too"),
                    ],
                },
            ])
            ,
            works(
                "set set-all rm rm-all cp refresh",
                "pulumi help 3.107",
                "",
                "data*",
            )
            .style(Style::Lenient)
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
            works(
                "env",
                "pulumi help 3.107",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "env",
            "pulumi help 3.107",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            works(
                "open get",
                "pulumi help 3.107",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "prints an environment, secrets too"),
                    ],
                },
            ])
            ,
            works(
                "run",
                "pulumi help 3.107",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "hands an environment's secrets to a command"),
                        Act::Runs(1),
                    ],
                },
            ])
            ,
            works(
                "ls init edit set rm clone diff tag version rotate",
                "pulumi help 3.107",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "watch",
            "pulumi help 3.107",
            "--path=look",
            "data*",
        )
        .also(GLOBALS)
        .and(OPERATION)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("Pulumi.yaml", ""),
                    Act::Finding("shell.infra", "changes infrastructure whenever the project changes"),
                ],
            },
        ])
        ,
        works(
            "preview pre refresh",
            "pulumi help 3.107",
            "\
                --clear-pending-creates --import-pending-creates=data --preview-only \
                --skip-pending-creates --plan=read --save-plan=write --import-file=write -y|--yes \
                -f|--skip-preview",
            "data*",
        )
        .also(GLOBALS)
        .and(OPERATION)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("Pulumi.yaml", ""),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["refresh"]),
                    Condition::Has(&["-y", "-f"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "changes the record of what runs without a question"),
                ],
            },
        ])
        ,
        works(
            "up update",
            "pulumi help 3.107",
            "-y|--yes -f|--skip-preview --plan=read",
            "config",
        )
        .also(GLOBALS)
        .and(OPERATION)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("Pulumi.yaml", ""),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-y", "-f"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "changes infrastructure without a person's look at the plan"),
                ],
            },
        ])
        ,
        works(
            "destroy down",
            "pulumi help 3.107",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.infra", "destroys infrastructure"),
                ],
            },
        ])
        ,
        works(
            "cancel",
            "pulumi help 3.107",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.infra", "stops a change of infrastructure half-way"),
                ],
            },
        ])
        ,
        works(
            "new",
            "pulumi help 3.107",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, true, Role::Config),
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "import",
            "pulumi help 3.107",
            "\
                -f|--file=read --from=data --generate-code?=data --generate-resources=write -o|--out=write \
                --parent=data --preview-only --properties=data --protect?=data --provider=data \
                --skip-preview -y|--yes",
            "data*",
        )
        .also(GLOBALS)
        .and(OPERATION)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("Pulumi.yaml", ""),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-y", "--skip-preview"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "changes the record of what runs without a question"),
                ],
            },
        ])
        ,
        works(
            "api cloud do",
            "pulumi help 3.107",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("api.pulumi.com", "https", Direction::Both),
                    Act::Finding("shell.infra", "changes the service or a cloud directly"),
                ],
            },
        ])
        ,
        works(
            "neo",
            "pulumi help 3.107",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("api.pulumi.com", "https", Direction::Both),
                    Act::Finding("shell.remote_code", "starts an agent that runs tools here"),
                ],
            },
        ])
        ,
        reads(
            "version",
            "pulumi help 3.107",
            "",
            "data*",
        )
        .also(GLOBALS)
        .style(Style::Lenient)
        ,
        works(
            "install package plugin policy convert query",
            "pulumi help 3.107",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("Pulumi.yaml", ""),
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "login logout org deployment console schema gen-completion",
            "pulumi help 3.107",
            "",
            "data*",
        )
        .style(Style::Lenient)
        ,
    ])
    .taken_over()
    ,
];
