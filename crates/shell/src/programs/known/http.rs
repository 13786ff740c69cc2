// Generated from knowledge/programs/http.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "http https xh xhs httpie",
        "http(1) HTTPie 3.2",
        "\
            -j|--json -f|--form --multipart -x|--compress --pretty=data -s|--style=data -p|--print=data \
            -v|--verbose -h|--headers -b|--body -m --all -S|--stream -o|--output=write -d|--download \
            -c|--continue -q|--quiet --session=data --session-read-only=data -a|--auth=secret \
            -A|--auth-type=data --ignore-netrc --offline --proxy=data -F|--follow --max-redirects=num \
            --timeout=num --check-status --verify=data --ssl=data --cert=read --cert-key=read \
            -I|--ignore-stdin --raw=data --boundary=data --bearer=secret",
        "",
    )
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
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
    .taken_over()
    ,
];
