// Generated from knowledge/programs/chrony.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "chronyc",
        "chronyc(1) 4.3",
        "-4 -6 -a -c -d -e -f=data -h=host --help -m -N -n -p=num -v|--version",
        "data*",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--help", "-v"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-m"]),
                Condition::Path(&["tracking", "sources", "sourcestats", "selectdata", "activity",
                        "authdata", "ntpdata", "sourcename", "accheck"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-m"]),
                Condition::Path(&["serverstats", "smoothing", "cmdaccheck", "rtcdata", "waitsync",
                        "manual/list", "help"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["clients"]),
                Condition::Lacks(&["-m"]),
                Condition::NoOperand(&["-r"]),
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
                Act::Privilege(PrivilegeKind::Kernel, "sets the clock, or what sets it"),
            ],
        },
    ])
    ,
    reads(
        "hwclock",
        "hwclock(8) util-linux 2.39, compared with 2.38",
        "\
            -a|--adjust --adjfile=read -D|--debug --date=data --delay=num --directisa --epoch=num \
            -f|--rtc=read --get --getepoch -h|--help -l|--localtime --noadjfile --param-get=data \
            --param-set=data --predict -r|--show -s|--hctosys --set --setepoch --systz --test -u|--utc \
            --update-drift -V|--version -v|--verbose -w|--systohc",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-h", "-V"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-a", "-s", "--set", "--setepoch", "--systz", "--param-set", "-w"]),
            ],
            acts: &[
                Act::Acts,
                Act::Value("--adjfile", Role::Write),
                Act::Privilege(PrivilegeKind::Kernel, "sets the clock"),
            ],
        },
    ])
    ,
    works(
        "ntpdate rdate",
        "ntpdate(8) ntpsec 1.2, rdate 1.11",
        "-4 -6 -a=data -B -b -c -d -e=data -k=read -n -o=data -p=data -q -s -t=num -u -v",
        "host*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-q", "-d"]),
                Condition::Program(&["ntpdate"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "sets the clock"),
            ],
        },
    ])
    ,
    works(
        "chrony ntpd",
        "ntpd(8) 4.2.8",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "sets the clock"),
            ],
        },
    ])
    .taken_over()
    ,
];
