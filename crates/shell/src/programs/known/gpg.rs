// Generated from knowledge/programs/gpg.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "gpg gpg2 gpgv apt-secure age sops pass keybase minisign signify cosign",
        "gpg(1) 2.4",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::system::keys),
            ],
        },
    ])
    .taken_over()
    ,
];
