// Generated from knowledge/programs/redis-cli.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "redis-cli valkey-cli keydb-cli memcached-tool iredis",
        "redis-cli 7.2",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::databases::redis),
            ],
        },
    ])
    .taken_over()
    ,
];
