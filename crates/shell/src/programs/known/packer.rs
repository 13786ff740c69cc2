// Generated from knowledge/programs/packer.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "packer",
        "packer help 1.10",
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
            "packer help 1.10",
            "",
            "",
        )
        .style(Style::Word)
        ,
        works(
            "build validate console inspect",
            "packer help 1.10",
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
            "packer help 1.10",
            "-check -diff -write?=data -recursive",
            "inplace*",
        )
        .style(Style::Word)
        ,
        works(
            "fix hcl2_upgrade",
            "packer help 1.10",
            "-validate?=data -output-file=write -with-annotations",
            "read*",
        )
        .style(Style::Word)
        ,
        works(
            "init",
            "packer help 1.10",
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
            "packer help 1.10",
            "",
            "",
        )
        .style(Style::Word)
        .subs(&[
            reads(
                "installed required",
                "packer help 1.10",
                "",
                "look*",
            )
            .style(Style::Word)
            ,
            works(
                "install remove",
                "packer help 1.10",
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
    .taken_over()
    ,
];
