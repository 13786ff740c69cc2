// Generated from knowledge/programs/mongosh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "mongosh mongo",
        "mongosh 2.1",
        "\
            --eval=lang:mongo -f|--file=file:javascript --host=data --port=num -u|--username=data \
            -p|--password=secret --authenticationDatabase=data",
        "data*",
    )
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Contains(&["--cryptSharedLibPath", "--csfleLibraryPath", "--browser"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "names a library or program"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["://", "--host"], fits: &[], except: &[], after: &[] },
                    "mongodb", Direction::Both, &[], "localhost", false),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--eval"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["*.js"], except: &[], after: &[] },
                    Role::File("javascript")),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--eval", "-f"]),
                Condition::NoOperand(&["*.js"]),
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::RunsStdin("mongo"),
            ],
        },
    ])
    .taken_over()
    ,
];
