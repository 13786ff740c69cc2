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
                Condition::Program(&["nix-shell"]),
                Condition::Word(&["--run", "--command", "-c"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &[">--run", ">--command", ">-c"], fits: &[], except: &[],
                    after: &[] }, Role::Shell),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["--run", "--command", "-c"]),
            ],
            acts: &[
                Act::RunsBehind(&["--run", "--command", "-c"]),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["nix-collect-garbage"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--gc"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["search", "eval", "show", "log", "why-depends", "path-info",
                        "--version"]),
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
                Act::RunsProject("flake.nix", ""),
                Act::Contacts("cache.nixos.org", "https", Direction::Fetch),
            ],
        },
    ])
    .taken_over()
    ,
];
