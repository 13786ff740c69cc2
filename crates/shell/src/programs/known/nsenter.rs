// Generated from knowledge/programs/nsenter.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "nsenter",
        "nsenter(1) util-linux 2.38",
        "\
            -a|--all -t|--target=num -m|--mount?=data -u|--uts?=data -i|--ipc?=data -n|--net?=data \
            -p|--pid?=data -C|--cgroup?=data -U|--user?=data -T|--time?=data -S|--setuid=num \
            -G|--setgid=num --preserve-credentials -r|--root?=data -w|--wd?=data -W|--wdns?=data \
            -F|--no-fork -Z|--follow-context -e|--env -c|--join-cgroup -h|--help -V|--version",
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
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::ContainerEscape, "enters namespaces of another process"),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Transparent,
                Act::RunsStdin("shell"),
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
];
