// Generated from knowledge/programs/nix.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            nix nix-shell nix-build nix-channel nix-store nix-instantiate nix-collect-garbage home-manager \
            nixos-rebuild",
        "nix(1) 2.18",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::packages::nix),
            ],
        },
    ])
    .taken_over()
    ,
];
