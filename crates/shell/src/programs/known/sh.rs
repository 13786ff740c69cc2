// Generated from knowledge/programs/sh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "sh bash dash ash zsh ksh ksh93 mksh lksh pdksh rbash rksh rzsh posh yash oksh gbash",
        "bash(1) 5.2, dash(1) 0.5.12, zsh(1) 5.9, ksh(1) 93u+m",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::shells::posix),
            ],
        },
    ])
    .taken_over()
    ,
];
