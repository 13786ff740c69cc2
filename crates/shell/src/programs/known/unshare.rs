// Generated from knowledge/programs/unshare.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "unshare",
        "unshare(1) util-linux 2.39",
        "\
            -i --ipc?=data -m --mount?=data -n --net?=data -p --pid?=data -u --uts?=data -U --user?=data \
            -C --cgroup?=data -T --time?=data -f|--fork --keep-caps --kill-child?=data --mount-proc?=data \
            --map-user=data --map-group=data --map-users=data --map-groups=data -r|--map-root-user \
            -c|--map-current-user --map-auto --propagation=data --setgroups=data -R|--root=data \
            -w|--wd=data -S|--setuid=num -G|--setgid=num --monotonic=num --boottime=num --load-interp=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-r", "--keep-caps", "-S"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "makes namespaces with root inside"),
            ],
        },
        Rule {
            when: &[
                Condition::Options(0, 0),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "makes namespaces with root inside"),
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
    .taken_over()
    ,
];
