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
                Condition::Operand(&["--version", "help", "status", "list-keychains", "default-keychain"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["show-keychain-info", "diff", "managed", "verify-cert", "info"]),
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
                Act::Finding("shell.secret_read", "{program} hands out stored secrets"),
            ],
        },
    ])
    .taken_over()
    ,
];
