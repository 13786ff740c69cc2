// Generated from knowledge/programs/npx.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "npx bunx pnpx yarnpkg-dlx uvx pipx-run",
        "npx(1) npm 10",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::packages::remote_tool),
            ],
        },
    ])
    .taken_over()
    ,
];
