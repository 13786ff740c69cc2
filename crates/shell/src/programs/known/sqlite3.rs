// Generated from knowledge/programs/sqlite3.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "sqlite3 sqlcipher",
        "sqlite3(1), sqlite3 -help 3.45, compared with 3.40",
        "\
            -A -append -ascii -bail -batch -box -column -cmd=lang:sqlite -csv -deserialize -echo \
            -init=file:sqlite -header -noheader -help -html -interactive -json -line -list -lookaside=data \
            -markdown -maxsize=num -memtrace -mmap=num -newline=data -nofollow -nonce=data -nullvalue=data \
            -pagecache=data -pcachetrace -quote -readonly -safe -separator=data -stats -table -tabs \
            -unsafe-testing -version -vfs=data -zip",
        "",
    )
    .style(Style::Word)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-A"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::InPlace),
                Act::Operand(1, true, Role::Read),
                Act::WritesFile("."),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-cmd", "-init"]),
                Condition::Operands(0, 1),
            ],
            acts: &[
                Act::RunsStdin("sqlite"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-version", "-help"]),
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
                Act::Operand(1, true, Role::Lang("sqlite")),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-cmd", "-init"]),
                Condition::Operands(0, 1),
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::RunsStdin("sqlite"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[], except: &[":memory:"], after: &[] }, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-readonly"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 1),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[], except: &[":memory:"], after: &[] }, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::At(Pick { at: &["1.."], fits: &[], except: &["~select*", ".tables*",
                    ".schema*", "~pragma*", "~explain*", ".dump*", ".indexes*", ".databases*", "~with*"],
                    after: &[] }),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[], except: &[":memory:"], after: &[] }, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::At(Pick { at: &["1.."], fits: &["*;*"], except: &["*;", "*;␣"], after: &[] }),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[], except: &[":memory:"], after: &[] }, Role::InPlace),
            ],
        },
    ])
    ,
    works(
        "litecli duckdb libsql",
        "sqlite3(1) 3.45",
        "\
            -A -append -ascii -bail -batch -box -column -cmd=lang:sqlite -csv -deserialize -echo \
            -init=file:sqlite -header -noheader -help -html -interactive -json -line -list -lookaside=data \
            -markdown -maxsize=num -memtrace -mmap=num -newline=data -nofollow -nonce=data -nullvalue=data \
            -pagecache=data -pcachetrace -quote -readonly -safe -separator=data -stats -table -tabs \
            -unsafe-testing -version -vfs=data -zip -c=lang:sqlite -s -f=file:sqlite",
        "",
    )
    .style(Style::Word)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-version", "-help"]),
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
                Act::Operand(1, true, Role::Lang("sqlite")),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-cmd", "-c", "-init"]),
                Condition::Operands(0, 1),
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::RunsStdin("sqlite"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[], except: &[":memory:"], after: &[] }, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-readonly"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 1),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[], except: &[":memory:"], after: &[] }, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::At(Pick { at: &["1.."], fits: &[], except: &["~select*", ".tables*",
                    ".schema*", "~pragma*", "~explain*", ".dump*", ".indexes*", ".databases*", "~with*"],
                    after: &[] }),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[], except: &[":memory:"], after: &[] }, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::At(Pick { at: &["1.."], fits: &["*;*"], except: &["*;", "*;␣"], after: &[] }),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[], except: &[":memory:"], after: &[] }, Role::InPlace),
            ],
        },
    ])
    .taken_over()
    ,
];
