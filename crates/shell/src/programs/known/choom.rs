// Generated from knowledge/programs/choom.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "choom",
        "choom(1) util-linux 2.39",
        "-n|--adjust=num -p|--pid=num",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::unless_pid),
            ],
        },
    ])
    .taken_over()
    ,
];
