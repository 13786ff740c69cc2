// Generated from knowledge/programs/start-stop-daemon.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "start-stop-daemon",
        "start-stop-daemon(8) dpkg 1.21",
        "\
            -S|--start -K|--stop -T|--status -H|--help -x|--exec=data -a|--startas=data -p|--pidfile=read \
            -u|--user=data -g|--group=data -n|--name=data -c|--chuid=data -b|--background \
            -m|--make-pidfile -q|--quiet -o|--oknodo -t|--test -s|--signal=data -r|--chroot=data \
            -d|--chdir=data -N|--nicelevel=num -k|--umask=data -v|--verbose -C|--no-close \
            -O|--output=append -R|--retry=data --notify-await --notify-timeout=num --remove-pidfile \
            --ppid=num --pid=num -I|--iosched=data -P|--procsched=data",
        "",
    )
    .style(Style::Gnu)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-H", "-T"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-m"]),
            ],
            acts: &[
                Act::Value("-p", Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--remove-pidfile"]),
            ],
            acts: &[
                Act::Value("-p", Role::Delete),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-r"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes the root folder"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.persistence", "starts or stops a daemon"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-a"]),
                Condition::Has(&["-S"]),
            ],
            acts: &[
                Act::RunsWith(0, "-a"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-x"]),
                Condition::Has(&["-S"]),
            ],
            acts: &[
                Act::RunsWith(0, "-x"),
            ],
        },
    ])
    ,
];
