// Generated from knowledge/programs/terraform.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const READING: &str = "-no-color -json -id=data -state=read -var=data -var-file=read";

const VARIABLES: &str = "\
    -var=data -var-file=read -target=data -replace=data -exclude=data -refresh?=data -refresh-only \
    -destroy -compact-warnings -concise -detailed-exitcode -generate-config-out=write -input?=data \
    -lock?=data -lock-timeout=data -no-color -json -json-into=write -parallelism=num -show-sensitive \
    -ignore-remote-version -allow-missing -state=inplace -state-out=write -backup=write -out=write";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "terraform tofu",
        "terraform -help, and -help of each command 1.11.4",
        "-chdir=data -version -v -help -h",
        "",
    )
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
            "terraform -help, and -help of each command 1.11.4",
            "",
            "",
        )
        .also(READING)
        .style(Style::Word)
        ,
        reads(
            "show metadata",
            "terraform -help, and -help of each command 1.11.4",
            "-show-sensitive",
            "look*",
        )
        .also(READING)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-json", "-show-sensitive"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints values that the configuration calls secret"),
                ],
            },
        ])
        ,
        works(
            "fmt",
            "terraform -help, and -help of each command 1.11.4",
            "-list?=data -write?=data -diff -check -no-color -recursive",
            "inplace*",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-check"]),
                ],
                acts: &[
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::WritesFile("*.tf"),
                ],
            },
        ])
        ,
        works(
            "validate modules graph",
            "terraform -help, and -help of each command 1.11.4",
            "\
                -no-tests -query=data -test-directory=data -draw-cycles -module-depth=num -plan=read \
                -type=data",
            "",
        )
        .also(READING)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject(".terraform", ""),
                ],
            },
        ])
        ,
        works(
            "console",
            "terraform -help, and -help of each command 1.11.4",
            "-plan",
            "",
        )
        .also(READING)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsStdin("recipe"),
                    Act::RunsProject("main.tf", ""),
                ],
            },
        ])
        ,
        reads(
            "output",
            "terraform -help, and -help of each command 1.11.4",
            "-raw -show-sensitive",
            "data*",
        )
        .also(READING)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-json", "-raw", "-show-sensitive"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints outputs that may be secret"),
                ],
            },
        ])
        ,
        works(
            "init",
            "terraform -help, and -help of each command 1.11.4",
            "\
                -backend?=data -cloud?=data -backend-config=config -force-copy -from-module=data \
                -get?=data -input?=data -lock?=data -lock-timeout=data -no-color -json -json-into=write \
                -plugin-dir=file -reconfigure -migrate-state -upgrade?=data -lockfile=data \
                -ignore-remote-version -test-directory=data -var=data -var-file=read",
            "",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("main.tf", ""),
                    Act::Contacts("registry.terraform.io", "https", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["-from-module"], &["*://*", "git::*", "*@*"]),
                ],
                acts: &[
                    Act::Finding("shell.remote_code", "takes its configuration from an address"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-force-copy", "-migrate-state"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "moves the record of what runs to another place"),
                ],
            },
        ])
        ,
        works(
            "get",
            "terraform -help, and -help of each command 1.11.4",
            "-update -no-color -json -test-directory=data -var=data -var-file=read",
            "",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("main.tf", ""),
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "plan refresh",
            "terraform -help, and -help of each command 1.11.4",
            "",
            "",
        )
        .also(VARIABLES)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("main.tf", ""),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-destroy"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "plans to destroy everything"),
                ],
            },
        ])
        ,
        works(
            "import",
            "terraform -help, and -help of each command 1.11.4",
            "-config=config",
            "data*",
        )
        .also(VARIABLES)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("main.tf", ""),
                ],
            },
        ])
        ,
        works(
            "apply",
            "terraform -help, and -help of each command 1.11.4",
            "-auto-approve?=data",
            "config",
        )
        .also(VARIABLES)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("main.tf", ""),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-auto-approve", "-destroy"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "changes infrastructure without a person's look at the plan"),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::Finding("shell.infra", "carries out {first} without a question"),
                ],
            },
        ])
        ,
        works(
            "destroy",
            "terraform -help, and -help of each command 1.11.4",
            "-auto-approve?=data -force",
            "",
        )
        .also(VARIABLES)
        .style(Style::Word)
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
            "test",
            "terraform -help, and -help of each command 1.11.4",
            "-cloud-run=data -filter=data -junit-xml=write -test-directory=data -verbose",
            "",
        )
        .also(VARIABLES)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("main.tf", ""),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-cloud-run"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Both),
                ],
            },
        ])
        ,
        works(
            "force-unlock",
            "terraform -help, and -help of each command 1.11.4",
            "-force",
            "data*",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("main.tf", ""),
                    Act::Finding("shell.infra", "takes a lock away that protects a change in progress"),
                ],
            },
        ])
        ,
        works(
            "taint untaint",
            "terraform -help, and -help of each command 1.11.4",
            "",
            "data*",
        )
        .also(VARIABLES)
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("main.tf", ""),
                ],
            },
        ])
        ,
        works(
            "login logout",
            "terraform -help, and -help of each command 1.11.4",
            "-no-color",
            "data*",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Both),
                ],
            },
        ])
        ,
        reads(
            "providers",
            "terraform -help, and -help of each command 1.11.4",
            "-test-directory=data",
            "",
        )
        .also(READING)
        .style(Style::Word)
        .subs(&[
            works(
                "schema",
                "terraform -help, and -help of each command 1.11.4",
                "",
                "",
            )
            .also(READING)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::RunsProject(".terraform", ""),
                    ],
                },
            ])
            ,
            works(
                "lock",
                "terraform -help, and -help of each command 1.11.4",
                "-fs-mirror=file -net-mirror=url -platform=data -enable-plugin-cache",
                "data*",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("registry.terraform.io", "https", Direction::Fetch),
                        Act::WritesFile(".terraform.lock.hcl"),
                    ],
                },
            ])
            ,
            works(
                "mirror",
                "terraform -help, and -help of each command 1.11.4",
                "-platform=data -lock-file?=data",
                "dir",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("registry.terraform.io", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "state",
            "terraform -help, and -help of each command 1.11.4",
            "",
            "",
        )
        .style(Style::Word)
        .subs(&[
            reads(
                "list show",
                "terraform -help, and -help of each command 1.11.4",
                "-show-sensitive",
                "data*",
            )
            .also(READING)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["-show-sensitive"]),
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "prints values that the configuration calls secret"),
                    ],
                },
            ])
            ,
            works(
                "pull",
                "terraform -help, and -help of each command 1.11.4",
                "",
                "",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.secret_read", "prints the whole state, with secrets as they are"),
                    ],
                },
            ])
            ,
            works(
                "push",
                "terraform -help, and -help of each command 1.11.4",
                "-force",
                "read",
            )
            .also(VARIABLES)
            .style(Style::Word)
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
                "rm mv replace-provider",
                "terraform -help, and -help of each command 1.11.4",
                "-dry-run -backup-out=write -auto-approve",
                "data*",
            )
            .also(VARIABLES)
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Called(&["rm", "replace-provider"]),
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "`{program} {command}` forgets or hands over infrastructure"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Called(&["mv"]),
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "renames what the state holds, and a wrong name destroys it"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "workspace env",
            "terraform -help, and -help of each command 1.11.4",
            "",
            "",
        )
        .style(Style::Word)
        .subs(&[
            reads(
                "list show",
                "terraform -help, and -help of each command 1.11.4",
                "",
                "look*",
            )
            .style(Style::Word)
            ,
            works(
                "select new",
                "terraform -help, and -help of each command 1.11.4",
                "-or-create -lock?=data -lock-timeout=data -state=read -var=data -var-file=read",
                "data*",
            )
            .style(Style::Word)
            ,
            works(
                "delete",
                "terraform -help, and -help of each command 1.11.4",
                "-force -lock?=data -lock-timeout=data",
                "data*",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "`{program} workspace delete` forgets infrastructure"),
                    ],
                },
            ])
            ,
        ])
        ,
    ])
    ,
];
