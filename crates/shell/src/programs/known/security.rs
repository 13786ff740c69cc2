// Generated from knowledge/programs/security.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            security keyring secret-tool lpass op bw pass-cli kwallet-query chezmoi vault-ssh keyctl ykman \
            gopass rbw",
        "security(1) macOS 14, secret-tool(1) 0.21",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::system::secrets),
            ],
        },
    ])
    .taken_over()
    ,
];
