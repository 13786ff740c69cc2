// Generated from knowledge/programs/nvm.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "nvm fnm volta pyenv rbenv nodenv asdf sdk jenv goenv tfenv corepack n rvm",
        "their manuals nvm 0.39, pyenv 2.3, asdf 0.14, mise 2024.2",
        "--version -v -h|--help -q|--quiet",
        "",
    )
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Works,
                Act::Mentions,
            ],
        },
    ])
    .subs(&[
        reads(
            "\
                ls list current version versions which whence root prefix init hook status export where \
                help ls-remote list-all outdated doctor commands completions local-version",
            "their manuals nvm 0.39, pyenv 2.3, asdf 0.14, mise 2024.2",
            "\
                --no-colors --lts?=data --bare --skip-aliases --all --current --installed -J|--json \
                -g|--global -l --path --shell=data --use-on-cd",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["ls-remote", "list-all", "outdated"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "plugin plugins",
            "their manuals nvm 0.39, pyenv 2.3, asdf 0.14, mise 2024.2",
            "",
            "",
        )
        .otherwise(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Works,
                ],
            },
        ])
        .subs(&[
            reads(
                "list ls",
                "their manuals nvm 0.39, pyenv 2.3, asdf 0.14, mise 2024.2",
                "--all --urls --refs",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "add install i update upgrade",
                "their manuals nvm 0.39, pyenv 2.3, asdf 0.14, mise 2024.2",
                "",
                "",
            )
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::ContactsUnknown("https", Direction::Fetch),
                        Act::Finding("shell.remote_code", "installs a plug-in, which later calls run"),
                    ],
                },
            ])
            ,
            works(
                "remove rm uninstall link",
                "their manuals nvm 0.39, pyenv 2.3, asdf 0.14, mise 2024.2",
                "",
                "",
            )
            ,
        ])
        ,
        works(
            "\
                install update toolchain component target add i fetch reinstall latest lts stable \
                use-install",
            "their manuals nvm 0.39, pyenv 2.3, asdf 0.14, mise 2024.2",
            "\
                --lts?=data --latest-npm --reinstall-packages-from=data -s|--skip-existing -f|--force \
                -k|--keep -v|--verbose -p|--patch -g|--debug",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "servers of the tool", &["always"], &[], false),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-p"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "exec run x",
            "their manuals nvm 0.39, pyenv 2.3, asdf 0.14, mise 2024.2",
            "\
                --using=data --node=data --npm=data --pnpm=data --yarn=data --bundled-npm --no-pnpm \
                --no-yarn --silent --install",
            "data*",
        )
        .style(Style::LenientPosix)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["*0", "*1", "*2", "*3", "*4", "*5", "*6", "*7", "*8", "*9", "lts*",
                        "node", "stable"]),
                    Condition::Program(&["nvm", "n"]),
                ],
                acts: &[
                    Act::Wraps(1),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Wraps(0),
                ],
            },
        ])
        ,
        works(
            "\
                use global local shell alias unalias default pin unpin uninstall remove rm prune cache \
                deactivate activate enable disable prepare hydrate set unset config settings self-update \
                implode rehash reshim unload upgrade",
            "their manuals nvm 0.39, pyenv 2.3, asdf 0.14, mise 2024.2",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
    works(
        "mise",
        "mise(1) 2024.2",
        "\
            -C|--cd=look -E|--env=data -j|--jobs=num -q|--quiet -v|--verbose -y|--yes -V|--version \
            -h|--help",
        "",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .subs(&[
        works(
            "\
                ls list current version versions which where status doctor help completion ls-remote \
                bin-paths backends settings config env outdated registry",
            "mise(1) 2024.2",
            "--no-header --installed --current -J|--json -g|--global --path -s|--shell=data",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject(".mise.toml", ""),
                ],
            },
        ])
        ,
        works(
            "exec x",
            "mise(1) 2024.2",
            "-c|--command=sh",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Runs(AFTER_DASHES),
                    Act::RunsProject(".mise.toml", ""),
                ],
            },
        ])
        ,
        works(
            "\
                run r tasks task watch w trust activate hook-env install i use u upgrade up prepare shell \
                set unset sync",
            "mise(1) 2024.2",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject(".mise.toml", ""),
                    Act::Mentions,
                ],
            },
        ])
        ,
        works(
            "plugins plugin p",
            "mise(1) 2024.2",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            works(
                "ls list ls-remote",
                "mise(1) 2024.2",
                "-a|--all -u|--urls",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "install i add update upgrade",
                "mise(1) 2024.2",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::ContactsUnknown("https", Direction::Fetch),
                        Act::Finding("shell.remote_code", "installs a plug-in, which later calls run"),
                    ],
                },
            ])
            ,
            works(
                "uninstall remove rm link",
                "mise(1) 2024.2",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "\
                uninstall remove rm prune cache deactivate alias implode self-update reshim latest link",
            "mise(1) 2024.2",
            "",
            "data*",
        )
        .style(Style::Lenient)
        ,
    ])
    .taken_over()
    ,
    works(
        "direnv",
        "direnv(1) 2.32",
        "",
        "",
    )
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .subs(&[
        works(
            "exec",
            "direnv(1) 2.32",
            "",
            "data*",
        )
        .style(Style::LenientPosix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Wraps(1),
                ],
            },
        ])
        ,
        works(
            "allow permit grant",
            "direnv(1) 2.32",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::RunsProject(".envrc", "shell"),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::Operand(0, false, Role::File("shell")),
                ],
            },
        ])
        ,
        reads(
            "status version help hook stdlib export dump",
            "direnv(1) 2.32",
            "--json",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "deny revoke block disallow edit fetchurl reload prune show_dump watch apply_dump",
            "direnv(1) 2.32",
            "",
            "",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Mentions,
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
];
