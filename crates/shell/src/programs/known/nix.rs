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
                Condition::Operand(&["github:*", "gitlab:*", "sourcehut:*", "git+*", "hg+*", "tarball+*",
                        "file+*", "http:*", "https:*"]),
                Condition::Program(&["nix", "nix-shell", "nix-build", "nix-env", "nix-instantiate"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::ContactsUnknown("https", Direction::Fetch),
                Act::Finding("shell.remote_code", "takes what it builds or runs from an address"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-d", "--delete-old", "--delete-older-than*"]),
                Condition::Program(&["nix-collect-garbage"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.delete", "deletes the way back to earlier generations"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["copy"]),
                Condition::Operand(&["--to*"]),
                Condition::Program(&["nix"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::ContactsUnknown("https", Direction::Send),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["switch", "boot", "test", "dry-activate"]),
                Condition::Program(&["nixos-rebuild", "home-manager"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.persistence", "makes a configuration the one that is in use"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["switch", "boot", "test"]),
                Condition::Program(&["nixos-rebuild"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes the system"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["registry/add", "registry/pin", "registry/remove", "profile/install",
                        "profile/remove", "profile/upgrade"]),
                Condition::Program(&["nix"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.persistence", "changes what later runs find"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["store/delete", "store/gc", "profile/wipe-history"]),
                Condition::Program(&["nix"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.delete", "deletes what was built, or the way back to it"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--write-to*"]),
                Condition::Program(&["nix"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
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
                Condition::NoOperand(&["--write-to*"]),
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
