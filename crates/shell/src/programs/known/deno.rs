// Generated from knowledge/programs/deno.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const COMMON: &str = "\
    -c|--config=config --import-map=read -L|--log-level=data --cert=read --ext=data --location=data \
    --seed=num";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "deno",
        "deno 1.40",
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
            "deno 1.40",
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
            "deno 1.40",
            "\
                -n|--name=data -o|--output=write --root=dir --preload=file:javascript --host=data \
                --port=num",
            "data*",
        )
        .also(COMMON)
        .style(Style::LenientWordPosix)
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
            "deno 1.40",
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
            "deno 1.40",
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
            "deno 1.40",
            "",
            "data*",
        )
        .style(Style::LenientWord)
        ,
        works(
            "fmt upgrade add remove init vendor lsp publish",
            "deno 1.40",
            "",
            "data*",
        )
        .style(Style::LenientWord)
        ,
    ])
    .taken_over()
    ,
];
