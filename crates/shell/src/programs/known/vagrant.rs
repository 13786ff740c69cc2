// Generated from knowledge/programs/vagrant.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "vagrant",
        "vagrant help 2.4",
        "-v|--version -h|--help --color --no-color --machine-readable --debug --timestamp",
        "",
    )
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
            "status global-status port version ssh-config winrm-config list-commands",
            "vagrant help 2.4",
            "--prune --machine-readable --guest=num --host=data",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["status", "port", "ssh-config", "winrm-config"]),
                ],
                acts: &[
                    Act::RunsProject("Vagrantfile", ""),
                ],
            },
        ])
        ,
        works(
            "up reload provision resume halt suspend package rsync rsync-auto validate init",
            "vagrant help 2.4",
            "\
                --provision --no-provision --provision-with=data --provider=data -f|--force --output=write \
                --vagrantfile=file --include=read --base=data --template=file",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("Vagrantfile", ""),
                ],
            },
        ])
        ,
        works(
            "destroy",
            "vagrant help 2.4",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.infra", "destroys virtual machines"),
                ],
            },
        ])
        ,
        works(
            "ssh winrm powershell",
            "vagrant help 2.4",
            "-c|--command=data --plain -t|--tty -p -s|--shell=data -e|--elevated",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("Vagrantfile", ""),
                    Act::RunsRemoteValue("-c", "vagrant"),
                    Act::RunsRemote(AFTER_DASHES, "vagrant"),
                ],
            },
        ])
        ,
        works(
            "upload",
            "vagrant help 2.4",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Read),
                    Act::RunsProject("Vagrantfile", ""),
                ],
            },
        ])
        ,
        works(
            "snapshot",
            "vagrant help 2.4",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list",
                "vagrant help 2.4",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "save push",
                "vagrant help 2.4",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::RunsProject("Vagrantfile", ""),
                    ],
                },
            ])
            ,
            works(
                "restore pop delete",
                "vagrant help 2.4",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "throws the machine's present state or a snapshot away"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "box",
            "vagrant help 2.4",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list outdated",
                "vagrant help 2.4",
                "-i|--box-info --global",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "add update repackage",
                "vagrant help 2.4",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::ContactsUnknown("https", Direction::Fetch),
                        Act::Mentions,
                    ],
                },
            ])
            ,
            works(
                "remove prune",
                "vagrant help 2.4",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "`vagrant {command}` deletes images of machines"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "plugin",
            "vagrant help 2.4",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list",
                "vagrant help 2.4",
                "--local",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "install update repair license expunge uninstall",
                "vagrant help 2.4",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("rubygems.org", "https", Direction::Fetch),
                        Act::Finding("shell.remote_code", "installs or changes a plug-in, which every later call runs"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "login cloud share connect push autocomplete serve",
            "vagrant help 2.4",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Both),
                    Act::Mentions,
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
];
