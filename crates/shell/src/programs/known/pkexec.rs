// Generated from knowledge/programs/pkexec.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "pkexec",
        "pkexec(1) 124",
        "-u|--user=data --disable-internal-agent --keep-cwd",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "runs as root"),
                Act::Wraps(0),
            ],
        },
    ])
    .taken_over()
    ,
];
