// Generated from knowledge/programs/gio.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "gio",
        "gio(1) 2.80, compared with 2.74",
        "",
        "",
    )
    .style(Style::Lenient)
    .throughout(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUrls("https", Direction::Both),
            ],
        },
    ])
    .subs(&[
        works(
            "remove",
            "gio(1) 2.80, compared with 2.74",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::DeletesOperand(0, true, &[], &["always"]),
                ],
            },
        ])
        ,
        works(
            "trash",
            "gio(1) 2.80, compared with 2.74",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Word(&["--empty"]),
                ],
                acts: &[
                    Act::Loses("what lies in the trash", RecoverableBy::None),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::DeletesOperand(0, true, &["always"], &["always"]),
                ],
            },
        ])
        ,
        works(
            "copy",
            "gio(1) 2.80, compared with 2.74",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Copies(&Copying {
                        kind: Copies::Content,
                        into: &[],
                        whole: &[],
                        pick: Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                    }),
                ],
            },
        ])
        ,
        works(
            "move",
            "gio(1) 2.80, compared with 2.74",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Copies(&Copying {
                        kind: Copies::Move,
                        into: &[],
                        whole: &[],
                        pick: Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                    }),
                ],
            },
        ])
        ,
        works(
            "save mkdir",
            "gio(1) 2.80, compared with 2.74",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, true, Role::Write),
                ],
            },
        ])
        ,
        works(
            "rename set",
            "gio(1) 2.80, compared with 2.74",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Meta),
                ],
            },
        ])
        ,
        reads(
            "cat",
            "gio(1) 2.80, compared with 2.74",
            "",
            "read*",
        )
        .style(Style::Lenient)
        .prints(Output::Filtered)
        ,
        reads(
            "info list tree monitor help version",
            "gio(1) 2.80, compared with 2.74",
            "",
            "look*",
        )
        .style(Style::Lenient)
        ,
        reads(
            "mime",
            "gio(1) 2.80, compared with 2.74",
            "",
            "data look*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(2, usize::MAX),
                ],
                acts: &[
                    Act::Acts,
                    Act::Finding("shell.persistence", "decides which program opens such files from now on"),
                ],
            },
        ])
        ,
        works(
            "open launch",
            "gio(1) 2.80, compared with 2.74",
            "",
            "source*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Unknown,
                ],
            },
        ])
        ,
    ])
    ,
];
