// Generated from knowledge/programs/sh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "sh bash dash ash rbash gbash",
        "bash(1), dash(1) 5.2, 0.5.12",
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
    ,
    wraps(
        "zsh ksh ksh93 mksh lksh pdksh rksh rzsh posh yash oksh",
        "zsh(1), ksh(1) 5.9, 93u+m",
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
