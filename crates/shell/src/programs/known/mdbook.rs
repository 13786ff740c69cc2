// Generated from knowledge/programs/mdbook.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "mdbook",
        "mdbook help 0.4.40",
        "",
        "",
    )
    .subs(&[
        works(
            "init",
            "mdbook help 0.4.40",
            "--force --ignore=data --theme --title=data",
            "dir",
        )
        ,
        works(
            "build watch",
            "mdbook help 0.4.40",
            "-d|--dest-dir=dir -o|--open --watcher=data",
            "look",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("book.toml", ""),
                ],
            },
        ])
        ,
        works(
            "serve",
            "mdbook help 0.4.40",
            "-d|--dest-dir=dir -n|--hostname=data -o|--open -p|--port=num --watcher=data",
            "look",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("book.toml", ""),
                    Act::Listens("localhost", "http", &["-p"]),
                ],
            },
        ])
        ,
        works(
            "test",
            "mdbook help 0.4.40",
            "-c|--chapter=data -d|--dest-dir=dir -L|--library-path=read",
            "look",
        )
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsProject("book.toml", ""),
                ],
            },
        ])
        ,
        works(
            "clean",
            "mdbook help 0.4.40",
            "-d|--dest-dir=data",
            "look",
        )
        .rules(&[
            Rule {
                when: &[
                    Condition::Lacks(&["-d"]),
                ],
                acts: &[
                    Act::DeletesBuild("book"),
                ],
            },
            Rule {
                when: &[
                    Condition::Has(&["-d"]),
                ],
                acts: &[
                    Act::DeletesValue("-d"),
                ],
            },
        ])
        ,
        reads(
            "completions help",
            "mdbook help 0.4.40",
            "",
            "data*",
        )
        ,
    ])
    ,
];
