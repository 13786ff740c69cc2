// Generated from knowledge/programs/gosu.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "gosu su-exec setuidgid chpst",
        "gosu(1) 1.17",
        "-u=data -e=data -b=data -n=num",
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
];
