// Generated from knowledge/programs/gosu.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "gosu setuidgid",
        "gosu --help, setuidgid(8) 1.14, daemontools 0.76",
        "",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "runs as another user"),
                Act::Wraps(1),
            ],
        },
    ])
    ,
    wraps(
        "su-exec",
        "gosu(1) 1.17",
        "",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "runs as another user"),
                Act::Wraps(1),
            ],
        },
    ])
    .taken_over()
    ,
    wraps(
        "chpst",
        "chpst(8) runit 2.1",
        "\
            -0 -1 -2 -/=data -b=data -c=num -d=num -e=env -f=num -L=append -l=append -m=num -n=num -o=num \
            -P -p=num -t=num -U=data -u=data -V -v",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-u", "-/"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "runs as another user or in another root"),
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
