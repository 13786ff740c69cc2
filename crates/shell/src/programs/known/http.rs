// Generated from knowledge/programs/http.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const REQUEST: &str = "\
    -j|--json -f|--form -v|--verbose -h|--headers -b|--body --all -S|--stream -o|--output=download \
    -d|--download -c|--continue -q|--quiet --ignore-netrc --offline --check-status -F|--follow \
    -I|--ignore-stdin --raw=data --pretty=data -s|--style=data --response-charset=data \
    --response-mime=data -p|--print=data --session=data --session-read-only=data -A|--auth-type=data \
    -a|--auth=secret --bearer=secret --max-redirects=num --timeout=num --proxy=choose --verify=data \
    --ssl=data --cert=read --cert-key=read";

static PLUGINS_COMMANDS: &[ProgramRow] = &[
    reads(
        "list",
        "http(1) HTTPie 3.2.1",
        "",
        "",
    )
    ,
    works(
        "install upgrade",
        "http(1) HTTPie 3.2.1",
        "",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Installs(Pick { at: &["0.."], fits: &[], except: &[], after: &[] }, "pypi.org",
                    &[], &[], false),
                Act::Finding("shell.persistence", "adds code that later requests load"),
            ],
        },
    ])
    ,
    works(
        "uninstall",
        "http(1) HTTPie 3.2.1",
        "",
        "data*",
    )
    ,
];

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "http https",
        "http(1) HTTPie 3.2.1",
        "\
            --multipart --boundary=data -x|--compress --unsorted --sorted --format-options=data -m|--meta \
            --max-headers=num --path-as-is --chunked --ciphers=data --cert-key-pass=secret --manual \
            --traceback --default-scheme=data --debug",
        "",
    )
    .also(REQUEST)
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--raw"]),
            ],
            acts: &[
                Act::ContactsUrls("https", Direction::Send),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--session"], &["*/*"]),
            ],
            acts: &[
                Act::Value("--session", Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--session-read-only"], &["*/*"]),
            ],
            acts: &[
                Act::Value("--session-read-only", Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--verify"], &["*/*", "*.pem", "*.crt"]),
            ],
            acts: &[
                Act::Value("--verify", Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-d"]),
                Condition::Lacks(&["-o"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile("…"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["GET", "HEAD", "OPTIONS"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["1"], fits: &[], except: &[], after: &[] }, "http",
                    Direction::Fetch, &[], "", false),
                Act::SendsPicked(Pick { at: &["2.."], fits: &["*@*"], except: &[], after: &["@"] }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["POST", "PUT", "PATCH", "DELETE", "PURGE", "TRACE", "CONNECT", "LINK",
                        "UNLINK", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["1"], fits: &[], except: &[], after: &[] }, "http",
                    Direction::Send, &[], "", false),
                Act::SendsPicked(Pick { at: &["2.."], fits: &["*@*"], except: &[], after: &["@"] }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["UNLOCK", "REPORT", "SEARCH"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["1"], fits: &[], except: &[], after: &[] }, "http",
                    Direction::Send, &[], "", false),
                Act::SendsPicked(Pick { at: &["2.."], fits: &["*@*"], except: &[], after: &["@"] }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "http",
                    Direction::Fetch, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "http",
                    Direction::Send, &[], "", false),
                Act::SendsPicked(Pick { at: &["1.."], fits: &["*@*"], except: &[], after: &["@"] }),
            ],
        },
    ])
    ,
    works(
        "httpie",
        "httpie(1) HTTPie 3.2.1",
        "--debug --traceback --version",
        "",
    )
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
            "plugins",
            "httpie(1) HTTPie 3.2.1",
            "",
            "",
        )
        .shares(&[PLUGINS_COMMANDS])
        ,
        works(
            "cli",
            "httpie(1) HTTPie 3.2.1",
            "",
            "",
        )
        .subs(&[
            works(
                "plugins",
                "httpie(1) HTTPie 3.2.1",
                "",
                "",
            )
            .shares(&[PLUGINS_COMMANDS])
            ,
            reads(
                "export-args",
                "httpie(1) HTTPie 3.2.1",
                "-f|--format=data",
                "",
            )
            ,
            works(
                "check-updates",
                "httpie(1) HTTPie 3.2.1",
                "",
                "",
            )
            .rules(&[
                Rule {
                    when: &[
                    ],
                    acts: &[
                        Act::Contacts("packages.httpie.io", "https", Direction::Fetch),
                    ],
                },
            ])
            ,
            works(
                "sessions",
                "httpie(1) HTTPie 3.2.1",
                "",
                "",
            )
            .subs(&[
                works(
                    "upgrade upgrade-all",
                    "httpie(1) HTTPie 3.2.1",
                    "--bind-cookies",
                    "",
                )
                .rules(&[
                    Rule {
                        when: &[
                        ],
                        acts: &[
                            Act::Operand(1, false, Role::InPlace),
                        ],
                    },
                ])
                ,
            ])
            ,
        ])
        ,
    ])
    ,
    works(
        "xh xhs",
        "xh(1) 0.15",
        "\
            -m|--multipart -P|--history-print=data --native-tls --https --curl --curl-long -V|--version \
            --http-version=data",
        "",
    )
    .also(REQUEST)
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--raw"]),
            ],
            acts: &[
                Act::ContactsUrls("https", Direction::Send),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--session"], &["*/*"]),
            ],
            acts: &[
                Act::Value("--session", Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--session-read-only"], &["*/*"]),
            ],
            acts: &[
                Act::Value("--session-read-only", Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--verify"], &["*/*", "*.pem", "*.crt"]),
            ],
            acts: &[
                Act::Value("--verify", Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-d"]),
                Condition::Lacks(&["-o"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile("…"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["GET", "HEAD", "OPTIONS"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["1"], fits: &[], except: &[], after: &[] }, "http",
                    Direction::Fetch, &[], "", false),
                Act::SendsPicked(Pick { at: &["2.."], fits: &["*@*"], except: &[], after: &["@"] }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["POST", "PUT", "PATCH", "DELETE", "PURGE", "TRACE", "CONNECT", "LINK",
                        "UNLINK", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["1"], fits: &[], except: &[], after: &[] }, "http",
                    Direction::Send, &[], "", false),
                Act::SendsPicked(Pick { at: &["2.."], fits: &["*@*"], except: &[], after: &["@"] }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["UNLOCK", "REPORT", "SEARCH"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["1"], fits: &[], except: &[], after: &[] }, "http",
                    Direction::Send, &[], "", false),
                Act::SendsPicked(Pick { at: &["2.."], fits: &["*@*"], except: &[], after: &["@"] }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "http",
                    Direction::Fetch, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "http",
                    Direction::Send, &[], "", false),
                Act::SendsPicked(Pick { at: &["1.."], fits: &["*@*"], except: &[], after: &["@"] }),
            ],
        },
    ])
    ,
];
