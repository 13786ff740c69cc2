// Generated from knowledge/programs/sudoedit.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "sudoedit",
        "sudo(8) 1.9.15",
        "-A -n -S -k -u|--user=data -g|--group=data",
        "inplace*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "edits as root"),
            ],
        },
    ])
    .taken_over()
    ,
];
