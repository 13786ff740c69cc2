// Generated from knowledge/programs/jj.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            jj sl bzr fossil cvs p4 darcs pijul git-lfs git-sizer git-crypt git-secret gitleaks trufflehog \
            tig lazygit gitui repo",
        "jj 0.14, p4 2023",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["log", "status", "st", "diff", "show", "info", "annotate", "blame",
                        "ls"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["files", "changes", "describe-read", "version", "--version", "env",
                        "ls-files", "detect", "stat", "manifest"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["abandon", "revert", "obliterate", "restore", "undo", "purge",
                        "rollback"]),
            ],
            acts: &[
                Act::Loses("changes", RecoverableBy::None),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["push", "submit", "commit-remote"]),
            ],
            acts: &[
                Act::ContactsRemote("origin", "vcs", Direction::Send),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["pull", "fetch", "clone", "sync", "update", "up", "co", "checkout"]),
            ],
            acts: &[
                Act::ContactsRemote("origin", "vcs", Direction::Fetch),
            ],
        },
    ])
    .taken_over()
    ,
];
