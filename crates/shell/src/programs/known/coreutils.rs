// Generated from knowledge/programs/coreutils.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "coreutils",
        "coreutils(1) 9.4",
        "--coreutils-prog=data --coreutils-prog-shebang=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::coreutils),
            ],
        },
    ])
    .taken_over()
    ,
];
