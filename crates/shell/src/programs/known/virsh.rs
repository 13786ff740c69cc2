// Generated from knowledge/programs/virsh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const READING: &str = "\
    -r|--readonly -q|--quiet --all --inactive --title --name --uuid --details --format=data -f=data \
    -l|--long -c=data -s --output=data --backing-chain -v|--version -h|--help --json";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "virsh virt-manager vboxmanage VBoxManage qemu-img limactl lima vmrun prlctl utmctl",
        "virsh(1), VBoxManage(8), qemu-img(1) 10, 7, 8",
        "",
        "data*",
    )
    .also(READING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
                Condition::Program(&["qemu-img", "limactl", "VBoxManage", "vboxmanage"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::HiddenOperand,
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["destroy", "undefine", "delete", "unregistervm", "purge",
                        "closemedium", "poweroff", "rm", "reset", "factory-reset"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "deletes or stops a virtual machine"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["vol-delete", "pool-delete", "snapshot-delete", "net-destroy",
                        "deleteVM", "stop", "shutdown"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "deletes or stops a virtual machine"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["qemu-agent-command", "qemu-monitor-command", "runProgramInGuest",
                        "runScriptInGuest", "guestcontrol"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "runs commands in a virtual machine, or steers its emulator"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["attach-device", "attach-disk", "sharedfolder", "addSharedFolder",
                        "update-device", "attach-interface"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "hands a device or folder of the host to a guest"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["shell"]),
                Condition::Program(&["limactl"]),
            ],
            acts: &[
                Act::RunsInside(2, ""),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["lima"]),
            ],
            acts: &[
                Act::RunsInside(0, ""),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["shell", "console"]),
                Condition::Program(&["virsh"]),
            ],
            acts: &[
                Act::Acts,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["create", "define", "edit"]),
                Condition::Program(&["virsh"]),
            ],
            acts: &[
                Act::Mentions,
                Act::BeyondPlain,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["convert", "create", "resize", "rebase", "commit", "snapshot", "bench",
                        "amend", "bitmap", "dd"]),
                Condition::Program(&["qemu-img"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["check", "info", "compare", "map", "measure"]),
                Condition::Program(&["qemu-img"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::Look),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["list", "info", "dominfo", "showvminfo", "ls", "version", "domstate",
                        "net-list", "pool-list", "vol-list", "dumpxml", "check", "nodeinfo"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["storage-list", "image-list", "domblklist", "domiflist", "domstats",
                        "compare", "map", "measure"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/list", "snapshot/list", "disk/list", "template/list"]),
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
                Act::Acts,
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "multipass lxc lxd incus",
        "lxc(1), multipass 5.0, 1.13",
        "",
        "",
    )
    .also(READING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
                Condition::Program(&["multipass", "lxc", "incus"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["source=/"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "gives a container the whole disk"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["security.privileged", "raw.lxc", "raw.idmap", "raw.qemu",
                        "security.syscalls"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape,
                    "changes what keeps a container apart from the host"),
            ],
        },
    ])
    .subs(&[
        works(
            "exec shell",
            "lxc(1), multipass 5.0, 1.13",
            "\
                --cwd=data --env=data --user=data --group=data --mode=data -t|--force-interactive \
                -n|--disable-stdin -T|--force-noninteractive -d|--working-directory=data",
            "data*",
        )
        .style(Style::LenientPosix)
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
        reads(
            "list ls info version find networks aliases get monitor",
            "lxc(1), multipass 5.0, 1.13",
            "",
            "data*",
        )
        .also(READING)
        .style(Style::Lenient)
        ,
        works(
            "delete rm stop purge restore suspend destroy",
            "lxc(1), multipass 5.0, 1.13",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.infra", "deletes or stops a virtual machine or container"),
                ],
            },
        ])
        ,
        works(
            "file transfer",
            "lxc(1), multipass 5.0, 1.13",
            "",
            "",
        )
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, true, Role::InPlace),
                ],
            },
        ])
        .subs(&[
            works(
                "pull",
                "lxc(1), multipass 5.0, 1.13",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(1, true, Role::Write),
                    ],
                },
            ])
            ,
            works(
                "push",
                "lxc(1), multipass 5.0, 1.13",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, true, Role::Read),
                    ],
                },
            ])
            ,
            works(
                "edit delete mount",
                "lxc(1), multipass 5.0, 1.13",
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
        works(
            "config",
            "lxc(1), multipass 5.0, 1.13",
            "",
            "",
        )
        .style(Style::Lenient)
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
                "show get",
                "lxc(1), multipass 5.0, 1.13",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "device",
                "lxc(1), multipass 5.0, 1.13",
                "",
                "",
            )
            .style(Style::Lenient)
            .subs(&[
                works(
                    "add",
                    "lxc(1), multipass 5.0, 1.13",
                    "",
                    "data*",
                )
                .style(Style::Lenient)
                .rules(&[
                    Rule {
                        when: &[
                        ],
                        acts: &[
                            Act::Works,
                        ],
                    },
                ])
                ,
                reads(
                    "list show get",
                    "lxc(1), multipass 5.0, 1.13",
                    "",
                    "data*",
                )
                .style(Style::Lenient)
                ,
                works(
                    "remove set unset override",
                    "lxc(1), multipass 5.0, 1.13",
                    "",
                    "data*",
                )
                .style(Style::Lenient)
                ,
            ])
            ,
            works(
                "trust",
                "lxc(1), multipass 5.0, 1.13",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.privilege", "lets another machine steer the containers"),
                    ],
                },
            ])
            ,
            works(
                "set edit unset metadata template",
                "lxc(1), multipass 5.0, 1.13",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "remote",
            "lxc(1), multipass 5.0, 1.13",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list get-default",
                "lxc(1), multipass 5.0, 1.13",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "add",
                "lxc(1), multipass 5.0, 1.13",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(1, false, Role::Host),
                    ],
                },
            ])
            ,
            works(
                "remove rename set-url switch",
                "lxc(1), multipass 5.0, 1.13",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "image profile network storage cluster project warning operation",
            "lxc(1), multipass 5.0, 1.13",
            "",
            "",
        )
        .style(Style::Lenient)
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Works,
                    Act::Mentions,
                ],
            },
        ])
        .subs(&[
            reads(
                "list show info get get-value",
                "lxc(1), multipass 5.0, 1.13",
                "",
                "data*",
            )
            .also(READING)
            .style(Style::Lenient)
            ,
            works(
                "delete rm",
                "lxc(1), multipass 5.0, 1.13",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Finding("shell.infra", "deletes images, networks or storage that others may use"),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "query sql admin cluster-admin recover shutdown waitready init",
            "lxc(1), multipass 5.0, 1.13",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.infra", "steers the service itself, past its checks"),
                ],
            },
        ])
        ,
        works(
            "\
                launch start restart copy cp move mv rename publish snapshot create mount umount set alias \
                authenticate export import console clone rebuild",
            "lxc(1), multipass 5.0, 1.13",
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
    .taken_over()
    ,
];
