// Generated from knowledge/programs/deno.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const COMMON: &str = "\
    -c|--config=config --import-map=read -L|--log-level=data --cert=read --ext=data --location=data \
    --seed=num";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "deno",
        "deno --help 1.40, commands compared with 2.9",
        "",
        "",
    )
    .also(COMMON)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::RunsStdin("javascript"),
            ],
        },
    ])
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, false, Role::File("javascript")),
            ],
        },
    ])
    .subs(&[
        works(
            "eval",
            "deno --help 1.40, commands compared with 2.9",
            "",
            "data*",
        )
        .also(COMMON)
        .style(Style::LenientWord)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::Lang("javascript")),
                ],
            },
        ])
        ,
        works(
            "run test bench serve compile install cache bundle",
            "deno --help 1.40, commands compared with 2.9",
            "\
                -n|--name=data -o|--output=write --root=dir --preload|--import|--require=file:javascript \
                --host=data --port=num",
            "data*",
        )
        .also(COMMON)
        .style(Style::LenientWordPosix)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["serve"]),
                ],
                acts: &[
                    Act::Listens("0.0.0.0", "http", &[]),
                ],
            },
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
                    Condition::First(&["-"]),
                ],
                acts: &[
                    Act::RunsStdin("javascript"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Operand(0, false, Role::File("javascript")),
                ],
            },
        ])
        ,
        works(
            "task",
            "deno --help 1.40, commands compared with 2.9",
            "--eval=sh",
            "data*",
        )
        .also(COMMON)
        .style(Style::LenientWord)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["--eval"]),
                ],
                acts: &[
                    Act::RunsProject("deno.json", ""),
                ],
            },
        ])
        ,
        works(
            "repl",
            "deno --help 1.40, commands compared with 2.9",
            "--eval=lang:javascript",
            "data*",
        )
        .also(COMMON)
        .style(Style::LenientWord)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["--eval"]),
                ],
                acts: &[
                    Act::RunsStdin("javascript"),
                ],
            },
        ])
        ,
        reads(
            "info doc types completions help check lint",
            "deno --help 1.40, commands compared with 2.9",
            "",
            "data*",
        )
        .style(Style::LenientWord)
        .rules(&[
            Rule {
                when: &[
                    Condition::Called(&["lint"]),
                    Condition::Word(&["--fix", "--watch"]),
                ],
                acts: &[
                    Act::Acts,
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["doc"]),
                    Condition::Contains(&["--output", "--html"]),
                ],
                acts: &[
                    Act::Acts,
                    Act::BeyondPlain,
                    Act::Mentions,
                ],
            },
            Rule {
                when: &[
                    Condition::Contains(&["--preload", "--import=", "--require"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names a file that is loaded before the others"),
                ],
            },
            Rule {
                when: &[
                    Condition::Word(&["--import"]),
                ],
                acts: &[
                    Act::Finding("shell.obfuscated", "names a file that is loaded before the others"),
                ],
            },
            Rule {
                when: &[
                    Condition::Called(&["info", "doc", "check"]),
                    Condition::Operand(&["*://*"]),
                ],
                acts: &[
                    Act::ContactsUrls("https", Direction::Fetch),
                ],
            },
        ])
        ,
        works(
            "x create",
            "deno --help 1.40, commands compared with 2.9",
            "",
            "",
        )
        .style(Style::Raw)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.remote_code", "runs what a package holds"),
                ],
            },
        ])
        ,
        works(
            "deploy",
            "deno --help 1.40, commands compared with 2.9",
            "",
            "data*",
        )
        .style(Style::LenientWord)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::ContactsUnknown("https", Direction::Send),
                    Act::Finding("shell.infra", "puts the folder on servers"),
                ],
            },
        ])
        ,
        works(
            "upgrade",
            "deno --help 1.40, commands compared with 2.9",
            "",
            "data*",
        )
        .style(Style::LenientWord)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Contacts("dl.deno.land", "https", Direction::Fetch),
                    Act::BeyondPlain,
                ],
            },
        ])
        ,
        works(
            "fmt add remove init vendor lsp publish",
            "deno --help 1.40, commands compared with 2.9",
            "",
            "data*",
        )
        .style(Style::LenientWord)
        ,
    ])
    .taken_over()
    ,
];
