// Generated from knowledge/programs/setlocal.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "setlocal direnv-exec dotenvx dotenv",
        "dotenv(1) unknown",
        "-f=read -e=data -o --override --no-override",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::setlocal),
            ],
        },
    ])
    .taken_over()
    ,
];
