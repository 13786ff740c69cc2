// Generated from knowledge/programs/rustup.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const GENERAL: &str = "-h|--help -q|--quiet -V|--version -v|--verbose";

const INSTALLING: &str = "\
    --allow-downgrade -c|--component=data --force --force-non-host --no-self-update --no-update --override \
    --profile=data -t|--target=data";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "rustup",
        "rustup help, and help of each command 1.29",
        "+toolchain",
        "",
    )
    .also(GENERAL)
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
        reads(
            "show which man help completions dump-testament",
            "rustup help, and help of each command 1.29",
            "--toolchain=data",
            "data*",
        )
        .also(GENERAL)
        .style(Style::Lenient)
        ,
        works(
            "doc docs",
            "rustup help, and help of each command 1.29",
            "\
                --alloc --book --cargo --clippy --core --edition-guide --embedded-book --error-codes \
                --nomicon --path --proc_macro --reference --releases --rust-by-example --rustc \
                --rustc-docs --rustdoc --std --style-guide --test --toolchain=data --unstable-book",
            "data*",
        )
        .also(GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--path"]),
                ],
                acts: &[
                    Act::OnlyReads,
                ],
            },
        ])
        ,
        reads(
            "check",
            "rustup help, and help of each command 1.29",
            "--no-self-update",
            "data*",
        )
        .also(GENERAL)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("static.rust-lang.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "target component",
            "rustup help, and help of each command 1.29",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list",
                "rustup help, and help of each command 1.29",
                "--installed --toolchain=data",
                "data*",
            )
            .also(GENERAL)
            .style(Style::Lenient)
            ,
            works(
                "add install",
                "rustup help, and help of each command 1.29",
                "--target=data --toolchain=data",
                "data*",
            )
            .also(GENERAL)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                            "static.rust-lang.org", &["always"], &[], false),
                    ],
                },
            ])
            ,
            works(
                "remove uninstall rm delete",
                "rustup help, and help of each command 1.29",
                "--target=data --toolchain=data",
                "data*",
            )
            .also(GENERAL)
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "toolchain",
            "rustup help, and help of each command 1.29",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list",
                "rustup help, and help of each command 1.29",
                "",
                "data*",
            )
            .also(GENERAL)
            .style(Style::Lenient)
            ,
            works(
                "install update add",
                "rustup help, and help of each command 1.29",
                "",
                "data*",
            )
            .also(GENERAL)
            .and(INSTALLING)
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Operands(0, 0),
                    ],
                    acts: &[
                        Act::Contacts("static.rust-lang.org", "https", Direction::Fetch),
                    ],
                },
                Rule {
                    when: &[
                        Condition::Operands(1, usize::MAX),
                    ],
                    acts: &[
                        Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                            "static.rust-lang.org", &["always"], &[], false),
                    ],
                },
            ])
            ,
            works(
                "uninstall remove rm delete",
                "rustup help, and help of each command 1.29",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "link",
                "rustup help, and help of each command 1.29",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(1, false, Role::Config),
                    ],
                },
            ])
            ,
        ])
        ,
        works(
            "install update upgrade up",
            "rustup help, and help of each command 1.29",
            "",
            "data*",
        )
        .also(GENERAL)
        .and(INSTALLING)
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::Contacts("static.rust-lang.org", "https", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "static.rust-lang.org", &["always"], &[], false),
                ],
            },
        ])
        ,
        works(
            "run",
            "rustup help, and help of each command 1.29",
            "--install",
            "data*",
        )
        .style(Style::LenientPosix)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--install"]),
                ],
                acts: &[
                    Act::Contacts("static.rust-lang.org", "https", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Runs(1),
                ],
            },
        ])
        ,
        works(
            "default",
            "rustup help, and help of each command 1.29",
            "--force-non-host",
            "data*",
        )
        .also(GENERAL)
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
            Rule {
                when: &[
                    Condition::Operands(1, usize::MAX),
                ],
                acts: &[
                    Act::Contacts("static.rust-lang.org", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "override",
            "rustup help, and help of each command 1.29",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list",
                "rustup help, and help of each command 1.29",
                "",
                "data*",
            )
            .also(GENERAL)
            .style(Style::Lenient)
            ,
            works(
                "set add",
                "rustup help, and help of each command 1.29",
                "--path=data",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("static.rust-lang.org", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "unset remove rm delete",
                "rustup help, and help of each command 1.29",
                "--nonexistent --path=data",
                "data*",
            )
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "self",
            "rustup help, and help of each command 1.29",
            "--no-modify-path -y",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["update", "upgrade-data"]),
                ],
                acts: &[
                    Act::Contacts("static.rust-lang.org", "https", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["uninstall"]),
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "removes all toolchains"),
                ],
            },
        ])
        ,
        works(
            "set uninstall",
            "rustup help, and help of each command 1.29",
            "",
            "data*",
        )
        .style(Style::Lenient)
        ,
    ])
    ,
];
