// Generated from knowledge/programs/ss.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            netstat ifstat nethogs iftop nload bmon vnstat sockstat lsof fuser-list ipcalc sipcalc \
            systemd-resolve airport nstat rtmon",
        "netstat(8) net-tools 2.10",
        "",
        "data*",
    )
    .style(Style::Raw)
    .takes(StdinRole::Ignored)
    .taken_over()
    ,
    reads(
        "ss",
        "ss(8) iproute2 6.7",
        "",
        "",
    )
    .style(Style::Raw)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["-K", "--kill"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "ethtool",
        "ethtool(8) 6.7",
        "",
        "",
    )
    .style(Style::Raw)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["-s", "-K", "-G", "-A", "-C", "-E", "--change"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "tc bridge route nmcli networkctl iw iwconfig networksetup scutil",
        "tc(8), nmcli(1) iproute2 6.7, NetworkManager 1.44",
        "",
        "",
    )
    .style(Style::Raw)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["add", "del", "delete", "set", "change", "replace", "flush", "up",
                        "down", "append", "restore", "hw", "mtu", "netmask", "exec", "connect"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["disconnect", "reload"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["modify", "import", "clone", "edit", "bind", "unbind", "unmanage",
                        "dns", "domain", "revert", "flush-caches", "reset-statistics"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-setdnsservers", "-setwebproxy", "-setv4off"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "arp",
        "arp(8) net-tools 2.10",
        "",
        "",
    )
    .style(Style::Raw)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["-d", "-s", "add", "del", "delete", "set", "change", "replace",
                        "flush", "up", "down", "append", "restore", "hw", "mtu", "netmask",
                        "exec", "connect"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["disconnect", "reload"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["modify", "import", "clone", "edit", "bind", "unbind", "unmanage",
                        "dns", "domain", "revert", "flush-caches", "reset-statistics"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-setdnsservers", "-setwebproxy", "-setv4off"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "resolvectl",
        "resolvectl(1) systemd 255",
        "",
        "",
    )
    .style(Style::Raw)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["query"]),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["1"], fits: &[], except: &[], after: &[] }, "dns",
                    Direction::Both, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["add", "del", "delete", "set", "change", "replace", "flush", "up",
                        "down", "append", "restore", "hw", "mtu", "netmask", "exec", "connect"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["disconnect", "reload"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["modify", "import", "clone", "edit", "bind", "unbind", "unmanage",
                        "dns", "domain", "revert", "flush-caches", "reset-statistics"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-setdnsservers", "-setwebproxy", "-setv4off"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "ifconfig",
        "ifconfig(8) net-tools 2.10",
        "",
        "data*",
    )
    .style(Style::LenientWord)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["add", "del", "delete", "set", "change", "replace", "flush", "up",
                        "down", "append", "restore", "hw", "mtu", "netmask", "exec", "connect"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["disconnect", "reload"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["modify", "import", "clone", "edit", "bind", "unbind", "unmanage",
                        "dns", "domain", "revert", "flush-caches", "reset-statistics"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-setdnsservers", "-setwebproxy", "-setv4off"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "ip",
        "ip(8) iproute2 6.7",
        "-n|-netns=data -f|-family=data -b|-batch=read -l|-loops=num -rc|-rcvbuf=num -a|-all",
        "data*",
    )
    .style(Style::LenientWordPosix)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-b"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/exec"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "runs inside a network namespace"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-a"]),
                Condition::Path(&["*/exec"]),
            ],
            acts: &[
                Act::Runs(2),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/exec"]),
            ],
            acts: &[
                Act::Runs(3),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["add", "del", "delete", "set", "change", "replace", "flush", "up",
                        "down", "append", "restore", "hw", "mtu", "netmask", "exec", "connect"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["disconnect", "reload"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["modify", "import", "clone", "edit", "bind", "unbind", "unmanage",
                        "dns", "domain", "revert", "flush-caches", "reset-statistics"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-setdnsservers", "-setwebproxy", "-setv4off"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
                Act::Stop,
            ],
        },
    ])
    .taken_over()
    ,
];
