// Generated from knowledge/programs/claude.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            claude codex gemini cursor-agent aider opencode goose copilot droid amp qwen crush ollama llm \
            sgpt hermes agy",
        "their manual pages",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::system::agents),
            ],
        },
    ])
    .taken_over()
    ,
];
