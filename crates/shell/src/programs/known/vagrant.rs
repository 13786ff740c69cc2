// Generated from knowledge/programs/vagrant.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "vagrant",
        "vagrant help of each command 2.3.4",
        "\
            -v|--version -h|--help --color --no-color --machine-readable --debug --debug-timestamp \
            --timestamp --no-tty",
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
            "status port ssh-config winrm-config",
            "vagrant help of each command 2.3.4",
            "--machine-readable --guest=num --host=data",
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
        reads(
            "global-status version list-commands help",
            "vagrant help of each command 2.3.4",
            "--prune --machine-readable",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--prune"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "up reload provision resume halt suspend rsync rsync-auto validate provider rdp cap",
            "vagrant help of each command 2.3.4",
            "\
                -a|--all-global --check --destroy-on-error -f|--force --install --install-provider \
                --no-destroy-on-error --no-install-provider --no-parallel --no-poll --no-provision \
                --no-rsync-chown -p|--ignore-provider --parallel --poll --provider=data --provision \
                --provision-with=data --rsync-chown -t|--target-guest=data --usable",
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
            Rule {
                when: &[
                    Condition::Called(&["provider"]),
                    Condition::Has(&["--install"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "package",
            "vagrant help of each command 2.3.4",
            "--base=data --include=read --info=read --output=write --vagrantfile=file",
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
            "init",
            "vagrant help of each command 2.3.4",
            "--box-version=data -f|--force -m|--minimal --output=write --template=file",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["--output"]),
                ],
                acts: &[
                    Act::WritesFile("Vagrantfile"),
                ],
            },
        ])
        ,
        works(
            "destroy",
            "vagrant help of each command 2.3.4",
            "-f|--force -g|--graceful --no-parallel --parallel",
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
            "vagrant help of each command 2.3.4",
            "-c|--command=data -e|--elevated --no-tty -p|--plain -s|--shell=data -t|--tty",
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
                    Act::RunsAfter("ProxyCommand="),
                    Act::RunsAfter("-oProxyCommand="),
                    Act::RunsAfter("LocalCommand="),
                    Act::RunsAfter("-oLocalCommand="),
                ],
            },
        ])
        ,
        works(
            "upload",
            "vagrant help of each command 2.3.4",
            "-C|--compression-type=data -c|--compress -t|--temporary",
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
            "vagrant help of each command 2.3.4",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list",
                "vagrant help of each command 2.3.4",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "save push",
                "vagrant help of each command 2.3.4",
                "-f|--force",
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
                "vagrant help of each command 2.3.4",
                "--no-delete --no-start --provision --no-provision",
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
            "vagrant help of each command 2.3.4",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list outdated",
                "vagrant help of each command 2.3.4",
                "-f|--force -i|--box-info --global",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Called(&["outdated"]),
                    ],
                    acts: &[
                        Act::ContactsUnknown("https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "add update",
                "vagrant help of each command 2.3.4",
                "\
                    --box=data --box-version=data --cacert=read --capath=look --cert=read --checksum=data \
                    --checksum-type=data -c|--clean -f|--force --insecure --location-trusted --name=data \
                    --provider=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::ContactsUnknown("https", Direction::Fetch),
                        Act::ContactsUrls("https", Direction::Fetch),
                        Act::Mentions,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--insecure"]),
                    ],
                    acts: &[
                        Act::Finding("shell.remote_code", "takes an image without knowing whose it is"),
                    ],
                },
            ])
            ,
            works(
                "repackage",
                "vagrant help of each command 2.3.4",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::WritesFile("package.box"),
                    ],
                },
            ])
            ,
            works(
                "remove prune",
                "vagrant help of each command 2.3.4",
                "\
                    --all --box-version=data -f|--force -k|--keep-active-boxes -n|--dry-run --name=data \
                    -p|--provider=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["-n"]),
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
                        Act::Finding("shell.infra", "`vagrant {command}` deletes images of machines"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "plugin",
            "vagrant help of each command 2.3.4",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list",
                "vagrant help of each command 2.3.4",
                "--local",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "install update repair license expunge uninstall",
                "vagrant help of each command 2.3.4",
                "\
                    --entry-point=data --force --global-only --local --local-only --plugin-clean-sources \
                    --plugin-source=url --plugin-version=data --reinstall --verbose",
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
            "cloud",
            "vagrant help of each command 2.3.4",
            "",
            "",
        )
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Both),
                    Act::Mentions,
                ],
            },
        ])
        .subs(&[
            works(
                "search list whoami",
                "vagrant help of each command 2.3.4",
                "\
                    -j|--json -l|--limit=num -o|--order=data --page=num -p|--provider=data -s|--short \
                    --sort-by=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("vagrantcloud.com", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "publish",
                "vagrant help of each command 2.3.4",
                "\
                    --box-version=data -C|--checksum-type=data -c|--checksum=data -d|--description=data \
                    --direct-upload -f|--force --no-direct-upload --no-force --no-private --no-release \
                    -p|--private -r|--release -s|--short-description=data --url=data \
                    --version-description=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("vagrantcloud.com", "https", Direction::Send),
                        Act::Sends(3, false),
                        Act::Finding("shell.upload", "publishes an image"),
                    ],
                },
            ])
            ,
            works(
                "box provider version",
                "vagrant help of each command 2.3.4",
                "\
                    --architecture=data -C|--checksum-type=data -c|--checksum=data -D|--direct \
                    -d|--description=data -f|--force --no-direct --no-force --no-private -p|--private \
                    -s|--short-description=data --versions=data",
                "",
            )
            .style(Style::Lenient)
            .otherwise(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("vagrantcloud.com", "https", Direction::Send),
                        Act::Mentions,
                        Act::Finding("shell.upload", "changes a published image"),
                    ],
                },
            ])
            .subs(&[
                works(
                    "show",
                    "vagrant help of each command 2.3.4",
                    "",
                    "data*",
                )
                .style(Style::Lenient)
                .rules(&[
                    Rule {
                        when: &[
                        ],
                        acts: &[
                            Act::Contacts("vagrantcloud.com", "https", Direction::Fetch),
                        ],
                    },
                ])
                ,
                works(
                    "delete revoke",
                    "vagrant help of each command 2.3.4",
                    "",
                    "data*",
                )
                .style(Style::Lenient)
                .rules(&[
                    Rule {
                        when: &[
                        ],
                        acts: &[
                            Act::Contacts("vagrantcloud.com", "https", Direction::Send),
                            Act::Finding("shell.data_loss", "deletes a published image"),
                        ],
                    },
                ])
                ,
            ])
            ,
            works(
                "auth",
                "vagrant help of each command 2.3.4",
                "-c|--check -d|--description=data -t|--token=secret -u|--username=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("vagrantcloud.com", "https", Direction::Both),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "serve",
            "vagrant help of each command 2.3.4",
            "--bind=data --max-port=num --min-port=num",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Listens("localhost", "grpc", &["--min-port"]),
                    Act::RunsProject("Vagrantfile", ""),
                ],
            },
        ])
        ,
        works(
            "push",
            "vagrant help of each command 2.3.4",
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
                    Act::ContactsUnknown("https", Direction::Send),
                    Act::Finding("shell.upload", "sends the project to where its Vagrantfile says"),
                ],
            },
        ])
        ,
        works(
            "autocomplete",
            "vagrant help of each command 2.3.4",
            "-b|--bash -z|--zsh",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.persistence", "adds lines to the shell's settings"),
                ],
            },
        ])
        ,
        works(
            "login share connect",
            "vagrant help of each command 2.3.4",
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
    ,
];
