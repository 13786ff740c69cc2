// Generated from knowledge/programs/rscript.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const SESSION: &str = "\
    --arch=data --args -d|--debugger=prog --debugger-args=data --default-packages=data -e=lang:r \
    --encoding=data -f|--file=file:r -g|--gui=data -h --interactive --max-ppsize=num --min-nsize=num \
    --min-vsize=num --no-environ --no-init-file --no-readline --no-restore --no-restore-data \
    --no-restore-history --no-save --no-site-file -q|--quiet --restore -s|--no-echo|--silent|--slave \
    --save --vanilla --verbose --version";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "Rscript",
        "Rscript(1) 4.3, compared with 4.2",
        "",
        "",
    )
    .also(SESSION)
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version"]),
                Condition::Lacks(&["-e", "-f"]),
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
                Act::Interprets("r", &["-e", "-f", "--version"]),
            ],
        },
    ])
    ,
    works(
        "R",
        "R(1) 4.3, compared with 4.2",
        "",
        "",
    )
    .also(SESSION)
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version"]),
                Condition::Lacks(&["-e", "-f"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["CMD", "RHOME"]),
                Condition::Lacks(&["-e", "-f"]),
            ],
            acts: &[
                Act::RunsStdin("r"),
            ],
        },
    ])
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
            "RHOME",
            "R(1) 4.3, compared with 4.2",
            "",
            "",
        )
        ,
        works(
            "CMD",
            "R(1) 4.3, compared with 4.2",
            "",
            "",
        )
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
            works(
                "BATCH",
                "R(1) 4.3, compared with 4.2",
                "",
                "file:r write",
            )
            .also(SESSION)
            .style(Style::Posix)
            .rules(&[
                Rule {
                    when: &[
                        Condition::Operands(1, 1),
                    ],
                    acts: &[
                        Act::WritesFile("{first}out"),
                    ],
                },
            ])
            ,
            works(
                "\
                    INSTALL build check LINK SHLIB COMPILE Rprof Rdconv Rd2pdf Rd2txt Stangle Sweave \
                    javareconf rtags",
                "R(1) 4.3, compared with 4.2",
                "",
                "",
            )
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Mentions,
                        Act::Operand(0, true, Role::File("")),
                    ],
                },
            ])
            ,
            works(
                "REMOVE",
                "R(1) 4.3, compared with 4.2",
                "",
                "",
            )
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Mentions,
                        Act::Finding("shell.delete", "removes installed packages"),
                    ],
                },
            ])
            ,
            reads(
                "config",
                "R(1) 4.3, compared with 4.2",
                "--all --cppflags --ldflags --no-user-files --no-site-files",
                "data*",
            )
            ,
        ])
        ,
    ])
    ,
    works(
        "littler r",
        "r(1) 0.3",
        "-e=lang:r --vanilla -q -f|--file=file:r --version",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("r", &["-e", "-f", "--version"]),
            ],
        },
    ])
    .taken_over()
    ,
];
