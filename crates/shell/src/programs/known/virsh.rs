// Generated from knowledge/programs/virsh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const IMAGE: &str = "-f=data --image-opts --object=data -q -T=data -t=data -U|--force-share";

const READING: &str = "\
    -r|--readonly -q|--quiet --all --inactive --title --name --uuid --details --format=data -f=data \
    -l|--long -c=data -s --output=data --backing-chain -v|--version -h|--help --json";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "virsh",
        "virsh(1) 10, compared with 9.0",
        "\
            -c|--connect=choose -d|--debug=num -e|--escape=data -h|--help -K|--keepalive-count=num \
            -k|--keepalive-interval=num -l|--log=write -q|--quiet -r|--readonly -t|--timing -V \
            -v|--version",
        "",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-h", "-v", "-V"]),
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
                Condition::Value(&["-c"], &["*command=*", "*netcat=*", "*+ext:*", "*keyfile=*", "*proxy=*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "reaches the service through what an address names"),
            ],
        },
    ])
    .otherwise(&[
        Rule {
            when: &[
                Condition::First(&["*destroy*", "*undefine*", "*-delete*", "*-wipe*", "*shutdown*",
                        "*reset*", "*-command*", "*-revert*", "*migrate*"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "deletes or stops a virtual machine, or runs commands in one"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Acts,
                Act::Mentions,
            ],
        },
    ])
    .subs(&[
        reads(
            "\
                secret-dumpxml secret-event secret-list nwfilter-list nwfilter-dumpxml \
                nwfilter-binding-list nwfilter-binding-dumpxml qemu-monitor-event get-user-sshkeys",
            "virsh(1) 10, compared with 9.0",
            "\
                --all --event=data --list --loop --name --pretty --regex --timeout=num --timestamp \
                --domain=data",
            "data*",
        )
        .also(READING)
        .style(Style::Lenient)
        ,
        reads(
            "\
                help version pwd uri hostname sysinfo nodeinfo nodecpumap nodecpustats nodememstats \
                nodesevinfo capabilities domcapabilities pool-capabilities list freecell freepages \
                cpu-models cpu-stats domblkerror domblkinfo domblklist domblkstat domcontrol domdisplay \
                domfsinfo domhostname domid domif-getlink domifaddr backup-dumpxml domiflist domifstat \
                dominfo domjobinfo domlaunchsecinfo dommemstat domname domstate domstats domuuid dumpxml \
                event guestinfo iothreadinfo managedsave-dumpxml maxvcpus migrate-getmaxdowntime \
                migrate-getspeed ttyconsole vcpucount vcpuinfo vncdisplay nodedev-dumpxml nodedev-info \
                nodedev-list nodedev-event net-dumpxml net-event net-info net-list net-name net-uuid \
                net-dhcp-leases net-port-list net-port-dumpxml iface-dumpxml iface-list iface-name \
                iface-mac pool-dumpxml pool-info pool-list pool-name pool-uuid pool-event vol-dumpxml \
                vol-info vol-list vol-pool vol-path vol-name vol-key snapshot-info snapshot-list \
                snapshot-dumpxml snapshot-parent checkpoint-info checkpoint-list checkpoint-dumpxml \
                checkpoint-parent",
            "virsh(1) 10, compared with 9.0",
            "\
                --active --allocation --autostart --backing --balloon --block --bytes --cap=data \
                --checkpoint --config --count=num --cpu=data --cpu-total --current --dirtyrate --disk \
                --domain=data --event=data --external --filesystem --full --guest --hostname --human \
                --interface --internal --iothread --leaves --list --live --loop --mac=data --managed-save \
                --maximum --memory --metadata --migratable --network=data --no-autostart --no-metadata \
                --no-snapshot --nowait --os --parent --perf --persistent --physical --pool=data --pretty \
                --roots --security-info --source=data --start=num --state --table --timeout=num \
                --timestamp --timezone --topological --total --transient --tree --type=data --update-cpu \
                --user --vcpu --with-managed-save --with-snapshot --without-managed-save \
                --without-snapshot --wrap --xml --xpath=data",
            "data*",
        )
        .also(READING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--security-info"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "shows passwords of a machine's screen"),
                ],
            },
        ])
        ,
        reads(
            "\
                cpu-baseline cpu-compare hypervisor-cpu-compare hypervisor-cpu-baseline save-image-dumpxml",
            "virsh(1) 10, compared with 9.0",
            "--error --features --migratable --security-info --validate --xpath=data",
            "read data*",
        )
        .also(READING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--security-info"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "shows passwords of a machine's screen"),
                ],
            },
        ])
        ,
        reads(
            "domxml-from-native domxml-to-native",
            "virsh(1) 10, compared with 9.0",
            "--domain=data --xml=read",
            "data read",
        )
        .style(Style::Lenient)
        ,
        works(
            "\
                destroy undefine shutdown reset reboot managedsave-remove net-destroy net-undefine \
                iface-destroy iface-undefine iface-unbridge net-port-delete nodedev-destroy \
                nodedev-undefine pool-destroy pool-delete pool-undefine vol-delete vol-wipe \
                secret-undefine snapshot-delete snapshot-revert checkpoint-delete nwfilter-undefine \
                nwfilter-binding-delete dompmsuspend nodesuspend detach-disk detach-device \
                detach-device-alias detach-interface",
            "virsh(1) 10, compared with 9.0",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.infra", "deletes or stops a virtual machine, or what it needs"),
                ],
            },
        ])
        ,
        works(
            "\
                qemu-agent-command qemu-monitor-command qemu-attach set-user-password set-user-sshkeys \
                send-key send-process-signal inject-nmi",
            "virsh(1) 10, compared with 9.0",
            "--file=read",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.infra", "runs commands in a virtual machine, or steers its emulator"),
                ],
            },
        ])
        ,
        works(
            "lxc-enter-namespace",
            "virsh(1) 10, compared with 9.0",
            "--noseclabel",
            "data*",
        )
        .style(Style::Lenient)
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
            "\
                attach-device attach-disk attach-interface update-device change-media dom-fd-associate \
                nodedev-detach nodedev-reattach nodedev-reset iface-bridge",
            "virsh(1) 10, compared with 9.0",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::ContainerEscape,
                        "hands a device or folder of the host to a guest"),
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "secret-get-value",
            "virsh(1) 10, compared with 9.0",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints a secret that libvirt keeps"),
                ],
            },
        ])
        ,
        works(
            "secret-set-value",
            "virsh(1) 10, compared with 9.0",
            "--base64=secret --file=read --interactive --plain",
            "data secret",
        )
        .style(Style::Lenient)
        ,
        works(
            "\
                create define restore managedsave-define net-create net-define net-port-create \
                iface-define nodedev-create nodedev-define pool-create pool-define nwfilter-define \
                nwfilter-binding-create secret-define",
            "virsh(1) 10, compared with 9.0",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::BeyondPlain,
                    Act::Operand(0, false, Role::Read),
                ],
            },
        ])
        ,
        works(
            "\
                vol-create vol-create-from snapshot-create checkpoint-create save-image-define \
                backup-begin update-memory-device net-update",
            "virsh(1) 10, compared with 9.0",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::BeyondPlain,
                    Act::Operand(1, false, Role::Read),
                ],
            },
        ])
        ,
        works(
            "\
                edit managedsave-edit save-image-edit net-edit iface-edit pool-edit snapshot-edit \
                checkpoint-edit nwfilter-edit",
            "virsh(1) 10, compared with 9.0",
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
                    Act::BeyondPlain,
                ],
            },
        ])
        ,
        works(
            "dump save screenshot",
            "virsh(1) 10, compared with 9.0",
            "--screen=num --xml=read --format=data",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(1, false, Role::Write),
                ],
            },
        ])
        ,
        works(
            "vol-upload",
            "virsh(1) 10, compared with 9.0",
            "--file=read --pool=data",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(1, false, Role::Read),
                    Act::Finding("shell.infra", "writes over what a volume holds"),
                ],
            },
        ])
        ,
        works(
            "vol-download",
            "virsh(1) 10, compared with 9.0",
            "--file=write --pool=data",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(1, false, Role::Write),
                ],
            },
        ])
        ,
        works(
            "migrate",
            "virsh(1) 10, compared with 9.0",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.infra", "moves a virtual machine to another host"),
                    Act::ContactsUnknown("libvirt", Direction::Both),
                ],
            },
        ])
        ,
        works(
            "pool-build",
            "virsh(1) 10, compared with 9.0",
            "--no-overwrite --overwrite",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--overwrite"]),
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "makes a new file system where one may be"),
                ],
            },
        ])
        ,
        works(
            "blockcommit blockcopy blockpull blockresize vol-resize vol-clone",
            "virsh(1) 10, compared with 9.0",
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
                    Act::BeyondPlain,
                ],
            },
        ])
        ,
        works(
            "connect cd echo console quit exit",
            "virsh(1) 10, compared with 9.0",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
    ])
    ,
    works(
        "qemu-img",
        "qemu-img(1) 10.0",
        "-T|--trace=data -V",
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
            "info",
            "qemu-img(1) 10.0",
            "--backing-chain --limits --output=data",
            "look",
        )
        .also(IMAGE)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Fetch),
                ],
            },
        ])
        ,
        reads(
            "map",
            "qemu-img(1) 10.0",
            "--max-length=num --output=data -s|--start-offset=num",
            "look",
        )
        .also(IMAGE)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Fetch),
                ],
            },
        ])
        ,
        reads(
            "measure",
            "qemu-img(1) 10.0",
            "-l=data -O=data -o=data --output=data --size=num",
            "look",
        )
        .also(IMAGE)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Fetch),
                ],
            },
        ])
        ,
        reads(
            "compare",
            "qemu-img(1) 10.0",
            "-F=data -p -s",
            "look look",
        )
        .also(IMAGE)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Fetch),
                ],
            },
        ])
        ,
        reads(
            "check",
            "qemu-img(1) 10.0",
            "--output=data -r=data",
            "",
        )
        .also(IMAGE)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["-r"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::Look),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-r"]),
                ],
                acts: &[
                    Act::Works,
                    Act::Operand(0, false, Role::InPlace),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "snapshot",
            "qemu-img(1) 10.0",
            "-a=data -c=data -d=data -l",
            "",
        )
        .also(IMAGE)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["-a", "-c", "-d"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Operand(0, false, Role::Look),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::InPlace),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-a"]),
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "puts an image back to an earlier state"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-d"]),
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "deletes an earlier state of an image"),
                ],
            },
        ])
        ,
        works(
            "convert",
            "qemu-img(1) 10.0",
            "\
                -B=look --bitmaps -C -c -F=data -l=data -m=num -n -O=data -o=data -p -r=num -S=num \
                --salvage --skip-broken-bitmaps --target-image-opts --target-is-zero -W",
            "read* write",
        )
        .also(IMAGE)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Both),
                ],
            },
        ])
        ,
        works(
            "create",
            "qemu-img(1) 10.0",
            "-b=look -F=data -o=data -u",
            "write data",
        )
        .also(IMAGE)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Send),
                ],
            },
        ])
        ,
        works(
            "dd",
            "qemu-img(1) 10.0",
            "-O=data",
            "",
        )
        .also(IMAGE)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ReadsAfter(&["if="]),
                    Act::Finding("shell.data_loss", "writes over the image or device that `of=` names"),
                ],
            },
        ])
        ,
        works(
            "commit",
            "qemu-img(1) 10.0",
            "-b=data -d -p -r=num",
            "",
        )
        .also(IMAGE)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::InPlace),
                    Act::ContactsUrls("https", Direction::Both),
                    Act::Finding("shell.data_loss", "writes over the image below this one"),
                ],
            },
        ])
        ,
        works(
            "amend rebase resize",
            "qemu-img(1) 10.0",
            "-b=data -c -F=data --force -o=data -p --preallocation=data --shrink -u",
            "",
        )
        .also(IMAGE)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::InPlace),
                    Act::ContactsUrls("https", Direction::Both),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--shrink"]),
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "cuts the end of an image off"),
                ],
            },
        ])
        ,
        works(
            "bitmap",
            "qemu-img(1) 10.0",
            "--add -b=read --clear --disable --enable -F=data -g=num --merge=data --remove",
            "",
        )
        .also(IMAGE)
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
        works(
            "bench",
            "qemu-img(1) 10.0",
            "\
                -c=num -d=num --flush-interval=num -i=data -n --no-drain -o=num --pattern=num -S=num \
                -s=num -w",
            "",
        )
        .also(IMAGE)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["-w"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::Read),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-w"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::InPlace),
                    Act::Finding("shell.data_loss", "writes over what an image holds"),
                ],
            },
        ])
        ,
    ])
    ,
    works(
        "virt-manager vboxmanage VBoxManage limactl lima vmrun prlctl utmctl",
        "VBoxManage(8) 7",
        "",
        "data*",
    )
    .also(READING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
                Condition::Program(&["limactl", "VBoxManage", "vboxmanage"]),
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
                Condition::Operand(&["runProgramInGuest", "runScriptInGuest", "guestcontrol"]),
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
                Condition::First(&["list", "info", "dominfo", "showvminfo", "ls", "version", "domstate",
                        "dumpxml", "check", "nodeinfo"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["storage-list", "image-list", "compare", "map", "measure"]),
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
                authenticate console clone rebuild",
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
        works(
            "export",
            "lxc(1), multipass 5.0, 1.13",
            "--compression=data --instance-only --optimized-storage",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(2, usize::MAX),
                ],
                acts: &[
                    Act::Operand(1, false, Role::Write),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(0, 1),
                ],
                acts: &[
                    Act::BeyondPlain,
                    Act::WritesFile("."),
                ],
            },
        ])
        ,
        works(
            "import",
            "lxc(1), multipass 5.0, 1.13",
            "-s|--storage=data",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Read),
                    Act::Mentions,
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
];
