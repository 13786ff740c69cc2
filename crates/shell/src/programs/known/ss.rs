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
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["file"]),
                Condition::Program(&["rtmon"]),
            ],
            acts: &[
                Act::Acts,
                Act::Operand(1, true, Role::Write),
            ],
        },
    ])
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
                Condition::Operand(&["essid", "nwid", "mode", "freq", "channel", "sens", "ap", "rate",
                        "rts", "frag", "key", "enc", "power", "txpower", "retry"]),
                Condition::Program(&["iwconfig"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["on", "off", "hostname", "load", "hotspot", "agent"]),
                Condition::Program(&["nmcli"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["export"]),
                Condition::Program(&["nmcli"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "hands out the settings of a connection"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["show-password"]),
                Condition::Program(&["nmcli"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints the password of a network"),
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
                Condition::First(&["log-level"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["service", "openpgp", "tlsa"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
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
                Condition::Path(&["a/a", "a/ad", "a/d", "a/de", "a/c", "a/ch", "a/r", "a/re", "a/f",
                        "a/fl", "addr/a", "addr/d", "addr/f", "address/a", "address/d"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["r/a", "r/ad", "r/d", "r/de", "r/c", "r/f", "r/fl", "route/a",
                        "route/d", "route/f", "ru/a", "ru/d", "rule/a", "rule/d", "n/a", "n/d",
                        "n/f"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes network settings"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["l/a", "l/d", "link/a", "link/d", "neigh/a", "neigh/d", "netns/at",
                        "netns/attach"]),
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
