// Generated from knowledge/programs/modinfo.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            modinfo getenforce sestatus aa-status ausearch aureport lastcomm journalctl-read dmesg \
            loginctl-read hostnamectl-read localectl timedatectl-read systemd-analyze systemd-cgls \
            systemd-cgtop systemd-detect-virt systemd-path zramctl",
        "modinfo(8) kmod 31",
        "",
        "data*",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["-c", "-C", "--clear", "--read-clear"]),
                Condition::Program(&["dmesg"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "wipes the kernel's log"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-n*", "-D*", "-E*", "--console*"]),
                Condition::Program(&["dmesg"]),
            ],
            acts: &[
                Act::Acts,
                Act::Privilege(PrivilegeKind::Kernel, "changes what the kernel shows"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["set-*"]),
                Condition::Program(&["localectl", "timedatectl-read", "hostnamectl-read"]),
            ],
            acts: &[
                Act::Acts,
                Act::Privilege(PrivilegeKind::Kernel, "changes settings of the system"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-r*", "--reset*", "-f*", "--find*", "-s*", "--size*", "-a*",
                        "--algorithm*", "-t*", "--streams*"]),
                Condition::Program(&["zramctl"]),
            ],
            acts: &[
                Act::Acts,
                Act::Privilege(PrivilegeKind::Kernel, "changes disks or mounts"),
            ],
        },
    ])
    .taken_over()
    ,
];
