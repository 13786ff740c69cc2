// Generated from knowledge/programs/unshare.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "unshare",
        "unshare(1) util-linux 2.40, compared with 2.38",
        "\
            -i --ipc?=meta -m --mount?=meta -n --net?=meta -p --pid?=meta -u --uts?=meta -U --user?=meta \
            -C --cgroup?=meta -T --time?=meta -f|--fork --keep-caps --kill-child?=data --mount-proc?=data \
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
                Condition::Has(&["-R", "--load-interp"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "changes the root folder or how programs are started"),
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
    ,
];
