// Generated from knowledge/programs/insmod.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            insmod rmmod modprobe depmod kmod dkms sysctl kexec sysrc setenforce semodule setsebool \
            semanage restorecon aa-disable aa-complain aa-enforce aa-teardown apparmor_parser auditctl \
            augenrules update-alternatives alternatives update-initramfs mkinitcpio dracut grub-install \
            grub-mkconfig update-grub grub2-mkconfig bootctl efibootmgr bpftool bpftrace nvram csrutil \
            spctl kldload kldunload modinfo-set ldconfig update-ca-certificates update-ca-trust trust \
            bcdedit-linux ulogd chkconfig update-rc.d rc-update rcctl",
        "sysctl(8) procps 4.0",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["-p/*", "-p.*", "-p~*", "-p*.conf"]),
                Condition::Program(&["sysctl"]),
            ],
            acts: &[
                Act::Acts,
                Act::Privilege(PrivilegeKind::Kernel, "changes the kernel, boot or security settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-a*", "-A*", "-b*", "-B*", "-c*", "-D*", "-n*", "-N*", "-o*", "-O*",
                        "-t*", "-T*", "-m*", "-M*", "-w*", "-@*", "-y*", "--delete*"]),
                Condition::Program(&["efibootmgr"]),
            ],
            acts: &[
                Act::Acts,
                Act::Privilege(PrivilegeKind::Kernel, "changes what the machine starts"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--active*", "--inactive*", "--bootn*", "--booto*", "--create*",
                        "--remove*", "--timeout*", "--write*"]),
                Condition::Program(&["efibootmgr"]),
            ],
            acts: &[
                Act::Acts,
                Act::Privilege(PrivilegeKind::Kernel, "changes what the machine starts"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["-w", "-p", "--write", "--load", "--system", "-f", "*=*"]),
                Condition::Program(&["sysctl"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["-l", "-s", "-v"]),
                Condition::Operands(1, 1),
                Condition::Program(&["auditctl"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["list"]),
                Condition::Program(&["kmod"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-n", "--dry-run", "-c", "--showconfig", "--show-depends", "-D"]),
                Condition::Program(&["modprobe"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--display", "--list", "--query", "--get-selections"]),
                Condition::Program(&["update-alternatives", "alternatives"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
                Condition::Program(&["bootctl", "efibootmgr", "chkconfig", "rc-update"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["status", "list", "-v"]),
                Condition::Program(&["bootctl", "efibootmgr"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-l", "--list"]),
                Condition::Program(&["semanage", "semodule"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["-N*", "-r*", "-f*", "-C*", "-n*", "-l*"]),
                Condition::Operand(&["-p", "--print-cache"]),
                Condition::Program(&["ldconfig"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["add", "del", "on", "off"]),
                Condition::Operand(&["--list", "show", "-v"]),
                Condition::Program(&["chkconfig", "rc-update"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["status", "--status"]),
                Condition::Program(&["csrutil", "spctl"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["show", "list", "dump"]),
                Condition::Program(&["bpftool"]),
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
                Act::Privilege(PrivilegeKind::Kernel, "changes the kernel, boot or security settings"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["setenforce", "aa-disable", "aa-complain", "aa-teardown", "auditctl",
                        "spctl", "csrutil", "setsebool"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "weakens the system's guards"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["chkconfig", "update-rc.d", "rc-update", "rcctl"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "changes what starts with the machine"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "perf",
        "perf(1) 6.6",
        "",
        "",
    )
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes the kernel, boot or security settings"),
            ],
        },
    ])
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes the kernel, boot or security settings"),
            ],
        },
    ])
    .subs(&[
        reads(
            "stat",
            "perf(1) 6.6",
            "\
                -a|--all-cpus -A|--no-aggr -B|--big-num -c|--scale -C|--cpu=data -d|--detailed \
                -D|--delay=num -e|--event=data -G|--cgroup=data -I|--interval-print=num -i|--no-inherit \
                -M|--metrics=data -n|--null -o|--output=write -p|--pid=data -r|--repeat=num -t|--tid=data \
                -v|--verbose -x|--field-separator=data --append --pre=sh --post=sh --timeout=num",
            "data*",
        )
        .style(Style::LenientPosix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Runs(0),
                ],
            },
        ])
        ,
        reads(
            "list",
            "perf(1) 6.6",
            "-o|--output=write",
            "data*",
        )
        .style(Style::Lenient)
        ,
        reads(
            "report annotate",
            "perf(1) 6.6",
            "-i|--input=read -n -s|--sort=data -v|--verbose",
            "data*",
        )
        .style(Style::Lenient)
        ,
        reads(
            "script",
            "perf(1) 6.6",
            "-i|--input=read -F|--fields=data -s|--script=data",
            "data*",
        )
        .style(Style::Lenient)
        ,
    ])
    .taken_over()
    ,
];
