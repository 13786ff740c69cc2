// Generated from knowledge/programs/gh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            gh glab tea hub-cli bb-cli jira linear sentry-cli circleci travis buildkite-agent act-cli",
        "gh(1) 2.43, glab 1.36",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::forge::forge),
            ],
        },
    ])
    .taken_over()
    ,
];
