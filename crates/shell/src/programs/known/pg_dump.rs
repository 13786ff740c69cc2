// Generated from knowledge/programs/pg_dump.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            pg_dump pg_dumpall mysqldump mariadb-dump mongodump mongoexport pg_basebackup sqldump \
            redis-dump expdp",
        "pg_dump(1) 16",
        "\
            -h|--host=data --uri=data -f|--file|--result-file=write -r=write -o|--out=write \
            -D|--pgdata=write",
        "data*",
    )
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["*host=*", "*hostaddr=*", "*service=*"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Fetch),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUrls("https", Direction::Fetch),
                Act::ContactsAt(Pick { at: &["-h", "--uri"], fits: &[], except: &[], after: &[] },
                    "sql", Direction::Fetch, &[], "localhost", false),
            ],
        },
    ])
    .taken_over()
    ,
];
