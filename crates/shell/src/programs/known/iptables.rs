// Generated from knowledge/programs/iptables.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            iptables ip6tables ebtables arptables nft ufw firewall-cmd pfctl ipfw iptables-restore \
            ip6tables-restore nft-restore ipset fail2ban-client",
        "iptables(8) 1.8, nft(8) 1.0, ufw(8) 0.36",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["--flush*", "--delete-chain*", "--pol*"]),
                Condition::Program(&["iptables", "ip6tables", "arptables", "ebtables"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "opens or switches off the firewall"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-R*", "-N*", "-E*", "--app*", "--ins*", "--repl*", "--del*", "--new*",
                        "--flush*", "--zero*", "--pol*", "--ren*", "--set-c*"]),
                Condition::Program(&["iptables", "ip6tables", "arptables", "ebtables"]),
            ],
            acts: &[
                Act::Acts,
                Act::Privilege(PrivilegeKind::Kernel, "changes the firewall"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["-F", "-X", "--flush"]),
                Condition::Operand(&["-M*", "--modprobe*"]),
                Condition::Program(&["iptables", "ip6tables"]),
            ],
            acts: &[
                Act::Acts,
                Act::Privilege(PrivilegeKind::Kernel, "names the program that loads modules"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["destroy", "reset"]),
                Condition::Program(&["nft"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "opens or switches off the firewall"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["insert", "create", "replace", "destroy", "reset", "rename", "import"]),
                Condition::Program(&["nft"]),
            ],
            acts: &[
                Act::Acts,
                Act::Privilege(PrivilegeKind::Kernel, "changes the firewall"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["-F", "-A", "-D", "-I", "-X", "-Z", "-P", "flush", "delete", "add",
                        "--add-port", "-f"]),
                Condition::Operand(&["-L", "--list", "-S", "--list-rules", "list", "status", "--state",
                        "--list-all", "--get-active-zones", "show", "-s", "-n", "-V",
                        "--version"]),
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
                Act::Privilege(PrivilegeKind::Kernel, "changes the firewall"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-F", "--flush", "-X", "flush", "disable", "reset", "-d", "stop",
                        "--panic-off"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "opens or switches off the firewall"),
            ],
        },
    ])
    .taken_over()
    ,
];
