// Generated from knowledge/programs/getconf.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "getconf getent",
        "getent(1) glibc 2.39",
        "-a -s=data -i|--no-idn -v=data",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::coreutils::getent),
            ],
        },
    ])
    .taken_over()
    ,
];
