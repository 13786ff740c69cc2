// Generated from knowledge/programs/pwsh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "pwsh powershell",
        "about_Pwsh 7.4",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::shells::powershell),
            ],
        },
    ])
    .taken_over()
    ,
];
