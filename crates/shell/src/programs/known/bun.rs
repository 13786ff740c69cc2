// Generated from knowledge/programs/bun.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "bun",
        "bun --help 1.0, options that run or write compared with 1.4",
        "\
            -e|--eval=lang:javascript -p|--print=lang:javascript \
            -r|--preload|--require|--import=file:javascript -c|--config=config --cwd=data \
            -v|--version|--revision -g|--global --ignore-scripts",
        "",
    )
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .otherwise(&[
        Rule {
            when: &[
                Condition::First(&["*/*", "*.*"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::File("javascript")),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsProject("package.json", ""),
            ],
        },
    ])
    .throughout(&[
        Rule {
            when: &[
                Condition::Contains(&["--outdir", "--outfile", "--metafile", "--cpu-prof", "--heap-prof",
                        "--redirect-warnings"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Mentions,
            ],
        },
    ])
    .subs(&[
        works(
            "install i add a update",
            "bun --help 1.0, options that run or write compared with 1.4",
            "",
            "data*",
        )
        .style(Style::LenientWord)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                        "registry.npmjs.org", &["--ignore-scripts"], &["-g"], false),
                ],
            },
        ])
        ,
        reads(
            "pm outdated",
            "bun --help 1.0, options that run or write compared with 1.4",
            "",
            "data*",
        )
        .style(Style::LenientWord)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["trust"]),
                ],
                acts: &[
                    Act::Acts,
                    Act::RunsProject("package.json", ""),
                ],
            },
            Rule {
                when: &[
                    Condition::Path(&["pkg/set", "pkg/delete", "pkg/fix", "cache/rm", "cache/prune",
                        "cache/pack", "cache/unpack"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
            Rule {
                when: &[
                    Condition::First(&["version", "pack", "migrate", "fetch", "scan"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
        ])
        ,
        works(
            "remove rm link unlink",
            "bun --help 1.0, options that run or write compared with 1.4",
            "",
            "data*",
        )
        .style(Style::LenientWord)
        ,
        works(
            "upgrade",
            "bun --help 1.0, options that run or write compared with 1.4",
            "",
            "data*",
        )
        .style(Style::LenientWord)
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
            "x create c",
            "bun --help 1.0, options that run or write compared with 1.4",
            "",
            "",
        )
        .style(Style::Raw)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Rust(crate::programs::packages::remote_tool),
                ],
            },
        ])
        ,
        works(
            "publish",
            "bun --help 1.0, options that run or write compared with 1.4",
            "",
            "data*",
        )
        .style(Style::LenientWord)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Picked(Pick { at: &["0.."], fits: &[], except: &[".", "./", "-*"],
                        after: &[] }, Role::Choose),
                    Act::Picked(Pick { at: &["0.."], fits: &[], except: &[".", "./", "-*"],
                        after: &[] }, Role::Source),
                    Act::Contacts("registry.npmjs.org", "https", Direction::Send),
                    Act::Finding("shell.upload", "`bun publish` changes what others get from the registry"),
                ],
            },
        ])
        ,
        works(
            "test build init",
            "bun --help 1.0, options that run or write compared with 1.4",
            "",
            "data*",
        )
        .style(Style::LenientWord)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("package.json", ""),
                ],
            },
        ])
        ,
        works(
            "exec",
            "bun --help 1.0, options that run or write compared with 1.4",
            "",
            "data*",
        )
        .style(Style::LenientWord)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Shell),
                ],
            },
        ])
        ,
        works(
            "repl",
            "bun --help 1.0, options that run or write compared with 1.4",
            "-e|--eval=lang:javascript",
            "data*",
        )
        .style(Style::LenientWord)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["-e"]),
                ],
                acts: &[
                    Act::RunsStdin("javascript"),
                ],
            },
        ])
        ,
        works(
            "run",
            "bun --help 1.0, options that run or write compared with 1.4",
            "",
            "data*",
        )
        .style(Style::LenientWord)
        .rules(&[
            Rule {
                when: &[
                    Condition::First(&["*://*"]),
                ],
                acts: &[
                    Act::Operand(0, false, Role::Url),
                    Act::Finding("shell.remote_code", "runs code from a URL"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("package.json", ""),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
];
