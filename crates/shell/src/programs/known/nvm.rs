// Generated from knowledge/programs/nvm.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            nvm fnm volta pyenv rbenv nodenv asdf mise sdk jenv goenv tfenv corepack n rvm direnv",
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
                Act::Rust(crate::programs::packages::nvm),
            ],
        },
    ])
    .taken_over()
    ,
];
