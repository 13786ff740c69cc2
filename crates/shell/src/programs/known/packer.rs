// Generated from knowledge/programs/packer.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "packer",
        "packer commands, and help of each 1.10, compared with 1.6",
        "-version -v -help -machine-readable",
        "",
    )
    .style(Style::Word)
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
            "version",
            "packer commands, and help of each 1.10, compared with 1.6",
            "",
            "",
        )
        .style(Style::Word)
        ,
        works(
            "build validate console inspect",
            "packer commands, and help of each 1.10, compared with 1.6",
            "\
                -color?=data -debug -except=data -only=data -force -machine-readable -on-error=data \
                -parallel-builds=num -timestamp-ui -var=data -var-file=read -warn-on-undeclared-var \
                -ignore-prerelease-plugins -use-sequential-evaluation -syntax-only -evaluate-datasources \
                -no-warn-undeclared-var -config-type=data",
            "file*",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["build"]),
                    Condition::Has(&["-force"]),
                ],
                acts: &[
                    Act::Finding("shell.infra", "replaces an image that exists"),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["console"]),
                ],
                acts: &[
                    Act::RunsStdin("recipe"),
                ],
            },
        ])
        ,
        works(
            "fmt",
            "packer commands, and help of each 1.10, compared with 1.6",
            "-check -diff -write?=data -recursive",
            "",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-check"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Operand(0, true, Role::Read),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["-write"], &["false"]),
                ],
                acts: &[
                    Act::OnlyReads,
                    Act::Operand(0, true, Role::Read),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, true, Role::InPlace),
                ],
            },
        ])
        ,
        works(
            "fix hcl2_upgrade",
            "packer commands, and help of each 1.10, compared with 1.6",
            "-validate?=data -output-file=write -with-annotations",
            "read*",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["hcl2_upgrade"]),
                    Condition::Lacks(&["-output-file"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::InPlace),
                ],
            },
        ])
        ,
        works(
            "init",
            "packer commands, and help of each 1.10, compared with 1.6",
            "-upgrade -force",
            "file*",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("github.com", "https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "plugins",
            "packer commands, and help of each 1.10, compared with 1.6",
            "",
            "",
        )
        .style(Style::Word)
        .subs(&[
            reads(
                "installed required",
                "packer commands, and help of each 1.10, compared with 1.6",
                "",
                "look*",
            )
            .style(Style::Word)
            ,
            works(
                "install remove",
                "packer commands, and help of each 1.10, compared with 1.6",
                "-path=file -force",
                "data*",
            )
            .style(Style::Word)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("github.com", "https", Direction::Fetch),
                        Act::Finding("shell.remote_code", "installs or removes a plug-in, which later builds run"),
                    ],
                },
            ])
            ,
        ])
        ,
    ])
    ,
];
