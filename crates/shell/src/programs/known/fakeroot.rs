// Generated from knowledge/programs/fakeroot.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "fakeroot",
        "fakeroot(1) 1.31",
        "\
            -b|--fd-base=num --faked=prog -h|--help -i=read -l|--lib=file:native -s=write \
            -u|--unknown-is-real -v|--version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
    wraps(
        "fakechroot",
        "fakechroot(1) 2.20",
        "\
            -b|--bindir=file -c|--config-dir=config -d|--elfloader=prog -e|--environment=data -h|--help \
            -l|--lib=file:native -s|--use-system-libs -v|--version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
    wraps(
        "eatmydata",
        "eatmydata(1) 130",
        "",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
    wraps(
        "proxychains4",
        "proxychains4(1) 4.16",
        "-f=read --help -q",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
    wraps(
        "torsocks",
        "torsocks(1) 2.4",
        "\
            -a|--address=host -d|--debug -h|--help -i|--isolate -P|--port=num -p|--pass=secret -q|--quiet \
            --shell -u|--user=data --version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
    wraps(
        "chronic ifne",
        "chronic(1), ifne(1) moreutils 0.67",
        "-e -n -v",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
    wraps(
        "systemd-inhibit",
        "systemd-inhibit(1) 252",
        "\
            -h|--help --list --mode=data --no-legend --no-pager --what=data --who=data --why=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--list"]),
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
                Act::Wraps(0),
            ],
        },
    ])
    ,
    wraps(
        "systemd-cat",
        "systemd-cat(1) 252",
        "\
            -h|--help --level-prefix=data -p|--priority=data --stderr-priority=data -t|--identifier=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
    wraps(
        "daemonize",
        "daemonize(1) 1.7",
        "-a -c=data -E=env -e=write -l=append -o=write -p=write -u=data -v",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
    wraps(
        "daemon",
        "daemon(1) 0.8",
        "\
            -A|--attempts=num -a|--acceptable=num -B|--bind -b|--dbglog=write -C|--config=config -c|--core \
            -D|--chdir=data -d|--debug?=num -E|--stderr=write -e|--env=env -F|--pidfile=write \
            -f|--foreground -h|--help --idiot --ignore-eof -i|--inherit -L|--delay=num -l|--errlog=write \
            --list -M|--limit=num -m|--umask=data -N|--noconfig -n|--name=data --nocore -O|--stdout=write \
            -o|--output=write -P|--pidfiles=dir -p|--pty?=data -R|--chroot=data -r|--respawn --read-eof \
            --restart --running -S|--safe --signal=data --stop -U|--unsafe -u|--user=data -V|--version \
            -v|--verbose?=num -X|--command=sh",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--list", "--running"]),
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
                Act::Wraps(0),
            ],
        },
    ])
    ,
    wraps(
        "setlock",
        "setlock(8) daemontools 0.76",
        "-N -n -X -x",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, false, Role::Append),
                Act::Wraps(1),
            ],
        },
    ])
    ,
    wraps(
        "caffeinate",
        "caffeinate(8) not recorded",
        "-d -i -m -s -t=num -u",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    .taken_over()
    ,
    wraps(
        "proxychains",
        "proxychains(1) not recorded",
        "-f=read -q",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    .taken_over()
    ,
    wraps(
        "torify tsocks catchsegv ts-node-wrapper",
        "their manuals not recorded",
        "",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    .taken_over()
    ,
];
