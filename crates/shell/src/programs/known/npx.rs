// Generated from knowledge/programs/npx.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "npx",
        "npx(1) npm 11.19",
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
        Rule {
            when: &[
                Condition::Contains(&["--node-options", "--script-shell", "--userconfig", "--globalconfig",
                        "--init-module", "--node-gyp", "--git="]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "names code that is loaded, or settings that name some"),
            ],
        },
    ])
    ,
    works(
        "bunx pnpx yarnpkg-dlx uvx pipx-run",
        "bunx, uvx 1.1, 0.4",
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
