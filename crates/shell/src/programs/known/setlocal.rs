// Generated from knowledge/programs/setlocal.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "dotenv",
        "python-dotenv(1), dotenv --help of dotenv-cli 0.21.0, 11.0.0",
        "\
            -c?=data --debug -e|--export=read -f|--file=read --no-expand --no-override -o|--override \
            -p=env --quiet?=data -q|--quote?=data -v=data --version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p", "--version"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Works,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["list", "get"]),
            ],
            acts: &[
                Act::Works,
                Act::Finding("shell.secret_read", "prints the variables of a `.env` file"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["set", "unset"]),
            ],
            acts: &[
                Act::Works,
                Act::WritesFile("{-f|.env}"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["run", "--"]),
            ],
            acts: &[
                Act::Wraps(1),
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["run", "--"]),
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
    works(
        "dotenvx",
        "dotenvx help, and help of each command 2.38.2",
        "-d|--debug -h|--help -l|--log-level=data -q|--quiet -v|--verbose -V|--version",
        "",
    )
    .style(Style::LenientPosix)
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
        works(
            "run",
            "dotenvx help, and help of each command 2.38.2",
            "\
                --convention=data -e|--env=data -f|--file=read -fk|--env-keys-file=read --ignore=data \
                --mask?=data --no-1password --no-armor --no-bitwarden --no-native -o|--overload \
                --profile=data --redact --strict --token=secret",
            "",
        )
        .style(Style::WordPosix)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Wraps(0),
                ],
            },
        ])
        ,
        works(
            "get keypair",
            "dotenvx help, and help of each command 2.38.2",
            "\
                -a|--all --convention=data -e|--env=data -ek|--exclude-key=data -f|--file=read \
                -fk|--env-keys-file=read --format=data --ignore=data -ik|--include-key=data --mask?=data \
                --no-1password --no-armor --no-bitwarden --no-native -o|--overload -pp|--pretty-print|--pp \
                --profile=data --strict",
            "",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints decrypted settings or their keys"),
                ],
            },
        ])
        ,
        works(
            "decrypt",
            "dotenvx help, and help of each command 2.38.2",
            "\
                -ek|--exclude-key=data -f|--file=inplace -fk|--env-keys-file=read -k|--key=data \
                --mask?=data --no-armor --no-native --stdout",
            "",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["--stdout"]),
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints decrypted settings"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                    Condition::Lacks(&["-f"]),
                ],
                acts: &[
                    Act::WritesFile(".env"),
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "writes secrets in clear text"),
                ],
            },
        ])
        ,
        works(
            "set del encrypt",
            "dotenvx help, and help of each command 2.38.2",
            "\
                -c|--encrypt -ek|--exclude-key=data -f|--file=inplace -fk|--env-keys-file=inplace \
                -k|--key=data --no-1password --no-armor --no-bitwarden --no-create --no-native --plain \
                --profile=data --stdout --token=secret --with=data",
            "",
        )
        .style(Style::Word)
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["-f"]),
                ],
                acts: &[
                    Act::WritesFile(".env"),
                ],
            },
        ])
        ,
        reads(
            "ls",
            "dotenvx help, and help of each command 2.38.2",
            "-ef|--exclude-env-file=data -f|--file=look --json",
            "look*",
        )
        .style(Style::Word)
        ,
    ])
    ,
    wraps(
        "setlocal direnv-exec",
        "their manuals unknown",
        "",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["--"]),
            ],
            acts: &[
                Act::Wraps(1),
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["--"]),
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    .taken_over()
    ,
];
