// Generated from knowledge/programs/systemctl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const SELECTING: &str = "\
    -a|--all -l|--full -t|--type=data --state=data -p|--property=data -P=data --value -n|--lines=num \
    -o|--output=data -q|--quiet --user --system --failed --no-legend --legend=data --plain --recursive \
    -r|--reverse --after --before --with-dependencies --show-types --show-transaction --wait -T \
    --timestamp=data --no-pager --no-wall --no-ask-password --no-block --no-reload --no-warn \
    --job-mode=data -f|--force --now --runtime --global --preset-mode=data -i --check-inhibitors=data \
    --fail -s|--signal=data --kill-who|--kill-whom=data --kill-value=data --what=data --message=data \
    --reboot-argument=data --firmware-setup --boot-loader-menu=data --boot-loader-entry=data \
    --drop-in=data --dry-run --mkdir --read-only --marked -H|--host=host -M|--machine=choose --root=choose \
    --image=choose --image-policy=data -h|--help --version";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "systemctl",
        "systemctl(1) 255, compared with 252",
        "",
        "",
    )
    .also(SELECTING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.persistence", "an unknown request to the service manager"),
                Act::Mentions,
            ],
        },
    ])
    .subs(&[
        reads(
            "\
                status show cat list-units list-unit-files list-timers list-sockets list-jobs \
                list-dependencies list-machines list-automounts list-paths is-active is-enabled is-failed \
                is-system-running get-default help whoami",
            "systemctl(1) 255, compared with 252",
            "",
            "data*",
        )
        .also(SELECTING)
        .style(Style::Lenient)
        ,
        reads(
            "show-environment",
            "systemctl(1) 255, compared with 252",
            "",
            "data*",
        )
        .also(SELECTING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Environment(true),
                ],
            },
        ])
        ,
        works(
            "\
                enable reenable preset preset-all set-default add-wants add-requires revert \
                import-environment set-environment unset-environment",
            "systemctl(1) 255, compared with 252",
            "",
            "data*",
        )
        .also(SELECTING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operand(&["*/*"]),
                ],
                acts: &[
                    Act::Operand(0, true, Role::Config),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.persistence", "`systemctl {command}` makes something start by itself"),
                ],
            },
        ])
        ,
        works(
            "link",
            "systemctl(1) 255, compared with 252",
            "",
            "data*",
        )
        .also(SELECTING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, true, Role::Config),
                    Act::Finding("shell.persistence", "`systemctl {command}` makes something start by itself"),
                ],
            },
        ])
        ,
        works(
            "edit",
            "systemctl(1) 255, compared with 252",
            "--stdin",
            "data*",
        )
        .also(SELECTING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.persistence", "`systemctl {command}` makes something start by itself"),
                ],
            },
        ])
        ,
        works(
            "\
                poweroff reboot halt suspend hibernate hybrid-sleep suspend-then-hibernate soft-reboot \
                rescue emergency kexec isolate exit switch-root sleep default",
            "systemctl(1) 255, compared with 252",
            "",
            "data*",
        )
        .also(SELECTING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.resource", "stops or restarts the machine"),
                ],
            },
        ])
        ,
        works(
            "stop disable mask kill clean freeze thaw",
            "systemctl(1) 255, compared with 252",
            "",
            "data*",
        )
        .also(SELECTING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operand(&["*audit*", "*syslog*", "*journal*", "*firewall*", "*ufw*", "*falcon*",
                        "*clam*", "*apparmor*", "*selinux*", "*fail2ban*"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "`systemctl {command}` stops a service that guards this machine"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["*osquery*", "*wazuh*", "*ossec*", "*defender*", "*mdatp*",
                        "*doorward*", "*iptables*", "*nftables*", "*cbdaemon*"]),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "`systemctl {command}` stops a service that guards this machine"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.resource", "`systemctl {command}` stops a service"),
                ],
            },
        ])
        ,
        works(
            "\
                start restart reload try-restart reload-or-restart try-reload-or-restart force-reload \
                condrestart daemon-reload daemon-reexec reset-failed unmask cancel",
            "systemctl(1) 255, compared with 252",
            "",
            "data*",
        )
        .also(SELECTING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["--user"]),
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::Root, "starts or restarts a system service"),
                ],
            },
        ])
        ,
        works(
            "log-level log-target service-watchdogs",
            "systemctl(1) 255, compared with 252",
            "",
            "data*",
        )
        .also(SELECTING)
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
            Rule {
                when: &[
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "changes what the service manager reports"),
                ],
            },
        ])
        ,
        works(
            "service-log-level service-log-target",
            "systemctl(1) 255, compared with 252",
            "",
            "data*",
        )
        .also(SELECTING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 1),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(2, usize::MAX),
                ],
                acts: &[
                    Act::Finding("shell.tamper", "changes what a service reports"),
                ],
            },
        ])
        ,
        works(
            "set-property bind mount-image",
            "systemctl(1) 255, compared with 252",
            "",
            "data*",
        )
        .also(SELECTING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::Kernel, "changes a system setting"),
                ],
            },
        ])
        ,
    ])
    ,
    works(
        "service rc-service initctl svc sv launchctl supervisorctl monit",
        "service(8), launchctl(1), supervisorctl init-system-helpers 1.65, macOS 14, 4.2",
        "\
            --status-all --full-restart --user -c|--configuration=config -s|--serverurl=choose \
            -u|--username=data -p|--password=secret -w -F -h|--help",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["*/*"]),
                Condition::Program(&["service", "rc-service", "sv"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::File("shell")),
                Act::Finding("shell.obfuscated", "runs a file in the place of a service"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/status", "*/list", "*/show", "*/help"]),
                Condition::Program(&["service", "rc-service"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(1, 1),
                Condition::Program(&["service", "rc-service"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["status", "show", "cat", "list", "print", "summary", "avail",
                        "version", "tail", "maintail", "pid", "help", "blame"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["signal"]),
                Condition::Program(&["supervisorctl"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["enable", "reenable", "link", "edit", "load", "bootstrap", "submit",
                        "add", "preset", "update", "kickstart", "reread"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "`{program} {first}` makes something start by itself"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["poweroff", "reboot", "halt", "suspend", "shutdown", "exit"]),
            ],
            acts: &[
                Act::Finding("shell.resource", "stops or restarts the machine"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*audit*", "*syslog*", "*journal*", "*firewall*"]),
                Condition::Verb(&["stop", "disable", "mask", "kill", "unload", "bootout", "remove",
                        "clean"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "`{program} {first}` stops a service that guards this machine"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*ufw*", "*falcon*", "*clam*", "*apparmor*"]),
                Condition::Verb(&["stop", "disable", "mask", "kill", "unload", "bootout", "remove",
                        "clean"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "`{program} {first}` stops a service that guards this machine"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*fail2ban*", "*osquery*"]),
                Condition::Verb(&["stop", "disable", "mask", "kill", "unload", "bootout", "remove",
                        "clean"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "`{program} {first}` stops a service that guards this machine"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*wazuh*", "*ossec*", "*mdatp*", "*doorward*"]),
                Condition::Verb(&["stop", "disable", "mask", "kill", "unload", "bootout", "remove",
                        "clean"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "`{program} {first}` stops a service that guards this machine"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*defender*", "*iptables*", "*nftables*"]),
                Condition::Verb(&["stop", "disable", "mask", "kill", "unload", "bootout", "remove",
                        "clean"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "`{program} {first}` stops a service that guards this machine"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*cbdaemon*", "*selinux*"]),
                Condition::Verb(&["stop", "disable", "mask", "kill", "unload", "bootout", "remove",
                        "clean"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "`{program} {first}` stops a service that guards this machine"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["stop", "disable", "mask", "kill", "unload", "bootout", "remove",
                        "clean"]),
            ],
            acts: &[
                Act::Finding("shell.resource", "`{program} {first}` stops a service"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--user"]),
                Condition::Verb(&["start", "restart", "reload", "try-restart", "reload-or-restart",
                        "force-reload", "condrestart", "activate"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "starts or restarts a system service"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--user"]),
                Condition::Verb(&["attach", "once", "hup"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "starts or restarts a system service"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["--user"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["set", "setenv"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "changes what every later program is started with"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.persistence", "an unknown request to the service manager"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "loginctl timedatectl hostnamectl localectl-set machinectl",
        "loginctl(1) and those of its kin 255, compared with 252",
        "\
            -u|--unit=data -j|--json=data --static --transient --pretty --no-convert --adjust-system-clock \
            --no-ask --format=data --max-addresses=data --monitor --setenv|-E=data --uid=data \
            --verify=data",
        "data*",
    )
    .also(SELECTING)
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["status", "show", "session-status", "user-status", "timesync-status",
                        "list-sessions", "list-users", "list-seats"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["seat-status"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["show-session", "show-user", "show-seat", "list-timezones",
                        "list-locales", "list", "list-images", "show-image", "image-status"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["hostname", "icon-name", "chassis", "deployment", "location"]),
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["enable-linger", "enable", "import-tar", "import-raw", "import-fs",
                        "pull-tar", "pull-raw", "link", "bind"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "`{program} {first}` makes something start, or brings a system in"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["poweroff", "reboot", "halt", "suspend", "hibernate", "terminate",
                        "remove", "kill"]),
            ],
            acts: &[
                Act::Finding("shell.resource", "`{program} {first}` stops a machine or what runs on it"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["terminate-user", "terminate-session", "kill-user", "kill-session",
                        "terminate-seat", "disable", "disable-linger"]),
            ],
            acts: &[
                Act::Finding("shell.resource", "`{program} {first}` ends a session"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["shell", "login"]),
                Condition::Program(&["machinectl"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "opens a shell on a machine"),
                Act::Runs(2),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["activate", "lock-session", "unlock-session", "lock-sessions",
                        "unlock-sessions", "attach", "flush-devices", "start", "clone"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "steers other users' sessions or machines"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["copy-to", "copy-from", "rename", "export-tar", "export-raw", "edit",
                        "cat", "read-only", "set-limit", "clean"]),
            ],
            acts: &[
                Act::Mentions,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes a system setting"),
            ],
        },
    ])
    ,
    reads(
        "journalctl",
        "journalctl(1) 255, compared with 252",
        "\
            -a|--all -f|--follow -e|--pager-end -n|--lines?=num --no-tail -r|--reverse -o|--output=data \
            --output-fields=data --utc -x|--catalog -q|--quiet -m|--merge -b|--boot?=data -# --list-boots \
            --list-invocations -I -k|--dmesg -t|--identifier=data -T|--exclude-identifier=data \
            -u|--unit=data --user-unit=data --invocation=data -p|--priority=data --facility=data \
            -g|--grep=pat --case-sensitive?=data -c|--cursor=data --cursor-file=inplace \
            --after-cursor=data --show-cursor -S|--since=data -U|--until=data -F|--field=data -N|--fields \
            -D|--directory=choose --file=read -i=read --root=choose --image=choose -M|--machine=choose \
            --namespace=choose --system --user --disk-usage --header --verify --verify-key=secret \
            --list-catalog --dump-catalog --update-catalog --truncate-newline --synchronize-on-exit?=data \
            --no-pager --no-full --full -l --no-hostname --vacuum-size=data --vacuum-files=num \
            --vacuum-time=data --rotate --flush --relinquish-var --smart-relinquish-var --sync \
            --setup-keys --interval=data --force --version -h|--help",
        "data*",
    )
    .style(Style::Gnu)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--vacuum-size", "--vacuum-files", "--vacuum-time", "--rotate",
                        "--flush", "--setup-keys"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "removes journals"),
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--update-catalog", "--relinquish-var", "--smart-relinquish-var",
                        "--sync"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
    works(
        "logger",
        "logger(1) util-linux 2.38.1",
        "\
            -i --id?=data -f|--file=data -e|--skip-empty --no-act -p|--priority=data --octet-count \
            --prio-prefix -s|--stderr -S|--size=num -t|--tag=data -n|--server=host -P|--port=data -T|--tcp \
            -d|--udp --rfc3164 --rfc5424?=data --sd-id=data --sd-param=data --msgid=data -u|--socket=data \
            --socket-errors?=data --journald?=read -h|--help -V|--version",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-n"]),
            ],
            acts: &[
                Act::Value("-f", Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-n"]),
            ],
            acts: &[
                Act::SendsValue("-f"),
            ],
        },
    ])
    ,
    works(
        "logrotate",
        "logrotate(8) 3.21",
        "\
            -d|--debug -f|--force -l|--log=write -m|--mail=prog -s|--state=inplace --skip-state-lock \
            --usage -v|--verbose --version --wait-for-state-lock",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version", "--usage"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-d"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(0, true, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::Config),
                Act::Finding("shell.persistence", "renames and deletes logs, and runs what the settings say"),
            ],
        },
    ])
    ,
    works(
        "anacron",
        "anacron(8) 2.3",
        "-d -f -n -q -S=dir -s -T -t=config -u -V",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-T", "-V"]),
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
                Act::Finding("shell.persistence", "runs the jobs that a table names"),
            ],
        },
    ])
    ,
    works(
        "rsyslogd",
        "rsyslogd(8) 8.2302",
        "-C -D -d -f=config -i=write -N=num -n -o=write -v",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v", "-N"]),
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
                Act::Finding("shell.persistence", "starts a daemon of logs"),
            ],
        },
    ])
    ,
    works(
        "auditd",
        "auditd(8) 3.0",
        "-c=config -f -l -n -s=data",
        "",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-s"], &["disable", "nochange"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "keeps the record of what happens from being written"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.persistence", "starts a daemon of logs"),
            ],
        },
    ])
    ,
    works(
        "syslogd crond update-rc",
        "cron(8) 3.0",
        "-f|--force -d|--debug -v|--verbose --version -h|--help",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version"]),
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
                Act::Operand(0, true, Role::Config),
                Act::Finding("shell.persistence", "an unknown request to the service manager"),
            ],
        },
    ])
    .taken_over()
    ,
];
