// Generated from knowledge/programs/jj.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const GLOBALS: &str = "\
    -R|--repository=look --ignore-working-copy --no-integrate-operation --ignore-immutable \
    --at-operation|--at-op=data --debug --color=data --quiet --no-pager --config=data --config-toml=data \
    --config-file=config -h|--help -V|--version";

const MOVING: &str = "\
    -r|--revision|--revisions=data -f|--from=data -t|--into|--to=data -o|--onto|--destination=data \
    -A|--insert-after|--after=data -B|--insert-before|--before=data -m|--message=data --editor \
    -i|--interactive --tool=prog --restore-descendants -s|--source=data -b|--branch=data \
    -c|--changes-in=data -k|--keep-emptied -u|--use-destination-message --skip-emptied --keep-divergent \
    --simplify-parents --retain-bookmarks --stdin --no-edit --no-interactive --update-change-id \
    --update-author-timestamp --update-author --author=data --author-timestamp=data --force-rewrite \
    --key=data --what=data";

const SHOWING: &str = "\
    -r|--revision|--revisions=data -n|--limit=num --reversed -G|--no-graph -T|--template=data -p|--patch \
    --count -s|--summary --stat --types --name-only --git --color-words --tool=prog --context=num \
    -w|--ignore-all-space -b|--ignore-space-change -f|--from=data -t|--to=data --no-patch \
    --operation|--op=data -d|--op-diff --no-op-diff --show-changes-in=data";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "jj",
        "jj, Command-Line Help reference of 2026",
        "",
        "",
    )
    .also(GLOBALS)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--config", "--config-toml"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    .subs(&[
        works(
            "status st log show diff interdiff evolog evolution-log",
            "jj, Command-Line Help reference of 2026",
            "",
            "look*",
        )
        .also(GLOBALS)
        .and(SHOWING)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--config", "--config-toml"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "root version help",
            "jj, Command-Line Help reference of 2026",
            "-k|--keyword=data",
            "data*",
        )
        .also(GLOBALS)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--config", "--config-toml"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "\
                commit ci describe desc new edit metaedit duplicate rebase squash absorb arrange converge \
                parallelize diffedit simplify-parents sign unsign redo",
            "jj, Command-Line Help reference of 2026",
            "",
            "",
        )
        .also(GLOBALS)
        .and(MOVING)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--config", "--config-toml"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "split",
            "jj, Command-Line Help reference of 2026",
            "-p|--parallel",
            "",
        )
        .also(GLOBALS)
        .and(MOVING)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--config", "--config-toml"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "next prev",
            "jj, Command-Line Help reference of 2026",
            "-e|--edit -n|--no-edit --conflict",
            "data*",
        )
        .also(GLOBALS)
        .rules(&[
            Rule {
                when: &[
                    Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--config", "--config-toml"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "revert",
            "jj, Command-Line Help reference of 2026",
            "",
            "",
        )
        .also(GLOBALS)
        .and(MOVING)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--config", "--config-toml"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "abandon restore undo",
            "jj, Command-Line Help reference of 2026",
            "",
            "",
        )
        .also(GLOBALS)
        .and(MOVING)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                    Act::Loses("changes", RecoverableBy::Reflog),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--config", "--config-toml"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "resolve",
            "jj, Command-Line Help reference of 2026",
            "-l|--list",
            "",
        )
        .also(GLOBALS)
        .and(MOVING)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-l"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--config", "--config-toml"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "fix",
            "jj, Command-Line Help reference of 2026",
            "-s|--source=data --include-unchanged-files -a|--all-lines",
            "",
        )
        .also(GLOBALS)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--config", "--config-toml"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "bisect",
            "jj, Command-Line Help reference of 2026",
            "",
            "",
        )
        .also(GLOBALS)
        .subs(&[
            works(
                "run",
                "jj, Command-Line Help reference of 2026",
                "-r|--range=data --find-good",
                "",
            )
            .also(GLOBALS)
            .style(Style::Posix)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Runs(0),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "run",
            "jj, Command-Line Help reference of 2026",
            "\
                -r|--revision|--revisions=data -j|--jobs=num --root --clean --restore-descendants \
                --passthrough --ignore-changes --ignore-errors",
            "",
        )
        .also(GLOBALS)
        .style(Style::Posix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Runs(0),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--config", "--config-toml"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "bookmark b",
            "jj, Command-Line Help reference of 2026",
            "",
            "",
        )
        .also(GLOBALS)
        .subs(&[
            works(
                "list l",
                "jj, Command-Line Help reference of 2026",
                "\
                    -a|--all-remotes --remote=data -t|--tracked -c|--conflicted -r|--revision=data \
                    -T|--template=data --sort=data",
                "data*",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::OnlyReads,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "advance a create c delete d forget f move m rename r set s track t untrack",
                "jj, Command-Line Help reference of 2026",
                "\
                    -r|--revision=data -f|--from=data -t|--to=data -B|--allow-backwards --include-remotes \
                    --overwrite-existing --remote=data",
                "data*",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "tag",
            "jj, Command-Line Help reference of 2026",
            "",
            "",
        )
        .also(GLOBALS)
        .subs(&[
            works(
                "list l",
                "jj, Command-Line Help reference of 2026",
                "\
                    -a|--all-remotes --remote=data -t|--tracked -c|--conflicted -r|--revision=data \
                    -T|--template=data --sort=data",
                "data*",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::OnlyReads,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "delete d set s track untrack",
                "jj, Command-Line Help reference of 2026",
                "-r|--revision|--to=data --allow-move --remote=data",
                "data*",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "config",
            "jj, Command-Line Help reference of 2026",
            "",
            "",
        )
        .also(GLOBALS)
        .subs(&[
            works(
                "get g list l path p",
                "jj, Command-Line Help reference of 2026",
                "\
                    --user --repo --workspace --include-defaults --include-overridden -T|--template=data",
                "data*",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::OnlyReads,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "edit e gc unset u",
                "jj, Command-Line Help reference of 2026",
                "\
                    --user --repo --workspace --include-defaults --include-overridden -T|--template=data",
                "data*",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "set s",
                "jj, Command-Line Help reference of 2026",
                "\
                    --user --repo --workspace --include-defaults --include-overridden -T|--template=data",
                "data*",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Operand(&["ui.*", "merge-tools*", "aliases*", "fix*", "signing*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.persistence", "changes settings that name programs"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "file",
            "jj, Command-Line Help reference of 2026",
            "",
            "",
        )
        .also(GLOBALS)
        .subs(&[
            works(
                "annotate list search show",
                "jj, Command-Line Help reference of 2026",
                "-r|--revision=data -T|--template=data -p|--pattern=pat --name-only -n|--line-number",
                "read*",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::OnlyReads,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "chmod track untrack",
                "jj, Command-Line Help reference of 2026",
                "-r|--revision=data --include-ignored",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Mentions,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "git",
            "jj, Command-Line Help reference of 2026",
            "",
            "",
        )
        .also(GLOBALS)
        .subs(&[
            works(
                "clone",
                "jj, Command-Line Help reference of 2026",
                "\
                    --remote=data --colocate --no-colocate --depth=num -b|--branch=data -t|--tag=data \
                    --object-hash=data",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(1, false, Role::Dir),
                        Act::ContactsUrls("git", Direction::Fetch),
                    ],
                },
                Rule {
                    when: &[
                        Condition::NoOperand(&["*://*"]),
                    ],
                    acts: &[
                        Act::ContactsUnknown("https", Direction::Fetch),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "fetch",
                "jj, Command-Line Help reference of 2026",
                "-b|--branch=data -t|--tag=data --tracked --remote=data --all-remotes",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::ContactsRemote("origin", "git", Direction::Fetch),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "push",
                "jj, Command-Line Help reference of 2026",
                "\
                    --remote=data -b|--bookmark=data -t|--tag=data --all --tracked --deleted \
                    --allow-empty-description --allow-new --allow-private --allow-conflicts \
                    -r|--revision|--revisions=data -c|--change=data --named=data --dry-run \
                    -o|--option=data -N",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::ContactsRemote("origin", "git", Direction::Send),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--deleted"]),
                    ],
                    acts: &[
                        Act::Loses("bookmarks of the remote", RecoverableBy::Remote),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "init",
                "jj, Command-Line Help reference of 2026",
                "--colocate --no-colocate --object-hash=data --git-repo=look",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::Dir),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "root",
                "jj, Command-Line Help reference of 2026",
                "",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::OnlyReads,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "colocation",
                "jj, Command-Line Help reference of 2026",
                "",
                "",
            )
            .also(GLOBALS)
            .subs(&[
                works(
                    "status",
                    "jj, Command-Line Help reference of 2026",
                    "",
                    "",
                )
                .also(GLOBALS)
                .rules(&[
                    Rule {
                        when: &[
                        ],
                        acts: &[
                            Act::OnlyReads,
                        ],
                    },
                    Rule {
                        when: &[
                            Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*",
                                "sign*", "git.*"]),
                        ],
                        acts: &[
                            Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                        ],
                    },
                    Rule {
                        when: &[
                            Condition::Has(&["--config", "--config-toml"]),
                        ],
                        acts: &[
                            Act::Acts,
                        ],
                    },
                ])
                ,
                works(
                    "disable enable",
                    "jj, Command-Line Help reference of 2026",
                    "",
                    "",
                )
                .also(GLOBALS)
                .rules(&[
                    Rule {
                        when: &[
                        ],
                        acts: &[
                            Act::Mentions,
                        ],
                    },
                    Rule {
                        when: &[
                            Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*",
                                "sign*", "git.*"]),
                        ],
                        acts: &[
                            Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                        ],
                    },
                    Rule {
                        when: &[
                            Condition::Has(&["--config", "--config-toml"]),
                        ],
                        acts: &[
                            Act::Acts,
                        ],
                    },
                ])
                ,
            ])
            ,
            works(
                "remote",
                "jj, Command-Line Help reference of 2026",
                "",
                "",
            )
            .also(GLOBALS)
            .subs(&[
                works(
                    "list",
                    "jj, Command-Line Help reference of 2026",
                    "",
                    "",
                )
                .also(GLOBALS)
                .rules(&[
                    Rule {
                        when: &[
                        ],
                        acts: &[
                            Act::OnlyReads,
                        ],
                    },
                    Rule {
                        when: &[
                            Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*",
                                "sign*", "git.*"]),
                        ],
                        acts: &[
                            Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                        ],
                    },
                    Rule {
                        when: &[
                            Condition::Has(&["--config", "--config-toml"]),
                        ],
                        acts: &[
                            Act::Acts,
                        ],
                    },
                ])
                ,
                works(
                    "add remove rename set-url",
                    "jj, Command-Line Help reference of 2026",
                    "--push-url=url --push=url --fetch=url",
                    "data*",
                )
                .also(GLOBALS)
                .rules(&[
                    Rule {
                        when: &[
                            Condition::Called(&["add", "set-url"]),
                        ],
                        acts: &[
                            Act::Finding("shell.persistence", "changes where later runs fetch from and push to"),
                        ],
                    },
                    Rule {
                        when: &[
                            Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*",
                                "sign*", "git.*"]),
                        ],
                        acts: &[
                            Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                        ],
                    },
                    Rule {
                        when: &[
                            Condition::Has(&["--config", "--config-toml"]),
                        ],
                        acts: &[
                            Act::Acts,
                        ],
                    },
                ])
                ,
            ])
            ,
            works(
                "import export",
                "jj, Command-Line Help reference of 2026",
                "",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Mentions,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "gerrit",
            "jj, Command-Line Help reference of 2026",
            "",
            "",
        )
        .also(GLOBALS)
        .subs(&[
            works(
                "upload",
                "jj, Command-Line Help reference of 2026",
                "\
                    -r|--revision=data -b|--remote-branch=data --remote=data -n|--dry-run --reviewer=data \
                    --cc=data -l|--label=data --topic=data --hashtag=data -m|--message=data --edit --wip \
                    --ready --private --remove-private --publish-comments --no-publish-comments \
                    --notify=data --submit --skip-validation --merged --ignore-attention-set \
                    --deadline=data --custom=data -o|--option=data --trace=data",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::ContactsRemote("origin", "git", Direction::Send),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "operation op",
            "jj, Command-Line Help reference of 2026",
            "",
            "",
        )
        .also(GLOBALS)
        .subs(&[
            works(
                "log show diff",
                "jj, Command-Line Help reference of 2026",
                "",
                "data*",
            )
            .also(GLOBALS)
            .and(SHOWING)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::OnlyReads,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "restore revert",
                "jj, Command-Line Help reference of 2026",
                "",
                "data*",
            )
            .also(GLOBALS)
            .and(MOVING)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Loses("changes", RecoverableBy::Reflog),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "integrate",
                "jj, Command-Line Help reference of 2026",
                "",
                "data*",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "abandon",
                "jj, Command-Line Help reference of 2026",
                "",
                "data*",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Loses("history", RecoverableBy::None),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "sparse",
            "jj, Command-Line Help reference of 2026",
            "",
            "",
        )
        .also(GLOBALS)
        .subs(&[
            works(
                "list",
                "jj, Command-Line Help reference of 2026",
                "",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::OnlyReads,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "edit reset set",
                "jj, Command-Line Help reference of 2026",
                "--add=data --remove=data --clear",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "workspace",
            "jj, Command-Line Help reference of 2026",
            "",
            "",
        )
        .also(GLOBALS)
        .subs(&[
            works(
                "list root",
                "jj, Command-Line Help reference of 2026",
                "-T|--template=data --name=data",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::OnlyReads,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "add",
                "jj, Command-Line Help reference of 2026",
                "--name=data -r|--revision=data -m|--message=data --sparse-patterns=data",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::Dir),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "forget rename update-stale",
                "jj, Command-Line Help reference of 2026",
                "",
                "data*",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "util",
            "jj, Command-Line Help reference of 2026",
            "",
            "",
        )
        .also(GLOBALS)
        .subs(&[
            works(
                "completion config-schema markdown-help backend",
                "jj, Command-Line Help reference of 2026",
                "",
                "data*",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::OnlyReads,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "exec",
                "jj, Command-Line Help reference of 2026",
                "",
                "",
            )
            .also(GLOBALS)
            .style(Style::Posix)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Runs(0),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "gc",
                "jj, Command-Line Help reference of 2026",
                "--expire=data",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Has(&["--expire"]),
                    ],
                    acts: &[
                        Act::Loses("history", RecoverableBy::None),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "install-man-pages",
                "jj, Command-Line Help reference of 2026",
                "",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::Dir),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
            works(
                "snapshot",
                "jj, Command-Line Help reference of 2026",
                "",
                "",
            )
            .also(GLOBALS)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Mentions,
                    ],
                },
                Rule {
                    when: &[
                        Condition::Value(&["--config"], &["ui.*", "merge*", "alias*", "fix*", "sign*", "git.*"]),
                    ],
                    acts: &[
                        Act::Finding("shell.obfuscated", "names a program that jj starts, as a setting"),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Has(&["--config", "--config-toml"]),
                    ],
                    acts: &[
                        Act::Acts,
                    ],
                },
            ])
            ,
        ])
        ,
    ])
    ,
    works(
        "\
            sl bzr fossil cvs p4 darcs pijul git-lfs git-sizer git-crypt git-secret gitleaks trufflehog \
            tig lazygit gitui repo",
        "fossil help, p4 help 2.24, 2023",
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
