// Generated from knowledge/programs/vault.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            vault infisical doppler chamber teller aws-vault saml2aws aws-sso aws-okta granted berglas \
            bitwarden-secrets",
        "vault 1.15",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::cloud::vault),
            ],
        },
    ])
    .taken_over()
    ,
];
