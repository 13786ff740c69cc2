// Generated from knowledge/programs/rustup.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "rustup",
        "rustup help, and help of each command 1.27",
        "-v|--verbose -q|--quiet -V|--version -h|--help +toolchain",
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
        reads(
            "show which doc docs check help man completions dump-testament",
            "rustup help, and help of each command 1.27",
            "-v|--verbose --installed --toolchain=data --path",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "target component",
            "rustup help, and help of each command 1.27",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list",
                "rustup help, and help of each command 1.27",
                "--installed -q|--quiet --toolchain=data",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "add install",
                "rustup help, and help of each command 1.27",
                "--toolchain=data --target=data",
                "data*",
            )
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
                "rustup help, and help of each command 1.27",
                "--toolchain=data --target=data",
                "data*",
            )
            .style(Style::Lenient)
            ,
        ])
        ,
        works(
            "toolchain",
            "rustup help, and help of each command 1.27",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "list",
                "rustup help, and help of each command 1.27",
                "-v|--verbose -q|--quiet",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "install update add",
                "rustup help, and help of each command 1.27",
                "\
                    --profile=data -c|--component=data -t|--target=data --no-self-update --force \
                    --allow-downgrade --force-non-host",
                "data*",
            )
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
                "uninstall remove rm delete",
                "rustup help, and help of each command 1.27",
                "",
                "data*",
            )
            .style(Style::Lenient)
            ,
            works(
                "link",
                "rustup help, and help of each command 1.27",
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
            "install update upgrade",
            "rustup help, and help of each command 1.27",
            "\
                --profile=data -c|--component=data -t|--target=data --no-self-update --force \
                --force-non-host",
            "data*",
        )
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
            "rustup help, and help of each command 1.27",
            "--install",
            "data*",
        )
        .style(Style::LenientPosix)
        .rules(&[
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
            "default override self set uninstall",
            "rustup help, and help of each command 1.27",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["self"]),
                    Condition::First(&["update", "upgrade-data"]),
                ],
                acts: &[
                    Act::Contacts("static.rust-lang.org", "https", Direction::Fetch),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["self"]),
                    Condition::First(&["uninstall"]),
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "removes all toolchains"),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
];
