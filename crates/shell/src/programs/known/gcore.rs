// Generated from knowledge/programs/gcore.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "gcore coredumpctl crash abrt-cli",
        "gcore(1) 14",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["list", "info"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.secret_read", "a process's memory may hold secrets"),
            ],
        },
    ])
    .taken_over()
    ,
];
