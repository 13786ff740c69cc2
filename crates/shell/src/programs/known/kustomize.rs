// Generated from knowledge/programs/kustomize.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "kustomize",
        "kustomize help 5.4",
        "-h|--help --stack-trace",
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
            "version completion",
            "kustomize help 5.4",
            "",
            "data*",
        )
        .style(Style::Lenient)
        ,
        reads(
            "build",
            "kustomize help 5.4",
            "\
                --as-current-user --enable-alpha-plugins --enable-exec --enable-helm --enable-star \
                -e|--env=data --helm-command=prog --helm-api-versions=data --helm-debug \
                --helm-kube-version=data --load-restrictor=data --mount=data --network --network-name=data \
                -o|--output=write",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Look),
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["*://*", "git@*", "github.com*"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                    Act::Finding("shell.remote_code", "builds from an address"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--enable-alpha-plugins", "--enable-exec"]),
                ],
                acts: &[
                    Act::RunsProject("kustomization.yaml", ""),
                    Act::Finding("shell.privilege", "lets the folder's description start programs"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--enable-helm"]),
                ],
                acts: &[
                    Act::RunsProject("kustomization.yaml", ""),
                ],
            },
            Rule {
                when: &[
                    Condition::Value(&["--load-restrictor"], &["LoadRestrictionsNone", "none"]),
                ],
                acts: &[
                    Act::Finding("shell.privilege", "lets the folder's description read files outside it"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["--mount", "--network", "--as-current-user"]),
                ],
                acts: &[
                    Act::Privilege(PrivilegeKind::ContainerEscape, "hands the host to containers"),
                ],
            },
        ])
        ,
        works(
            "cfg fn",
            "kustomize help 5.4",
            "",
            "",
        )
        .style(Style::Lenient)
        .subs(&[
            reads(
                "cat count grep tree list-setters",
                "kustomize help 5.4",
                "",
                "look*",
            )
            .style(Style::Lenient)
            ,
            works(
                "run",
                "kustomize help 5.4",
                "",
                "data*",
            )
            .style(Style::Lenient)
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Operand(0, false, Role::Config),
                        Act::Finding("shell.remote_code", "runs functions that a folder names"),
                    ],
                },
            ])
            ,
            works(
                "annotate init set create-setter delete-setter fmt merge merge3 source sink",
                "kustomize help 5.4",
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
        ,
        works(
            "create edit fix",
            "kustomize help 5.4",
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
                    Act::WritesFile("kustomization.yaml"),
                ],
            },
        ])
        ,
        works(
            "localize",
            "kustomize help 5.4",
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
                    Act::Operand(1, false, Role::Dir),
                ],
            },
            Rule {
                when: &[
                    Condition::Operand(&["*://*", "git@*", "github.com*"]),
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "openapi",
            "kustomize help 5.4",
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
];
