// Generated from knowledge/programs/pg_dump.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            pg_dump pg_dumpall mysqldump mariadb-dump mongodump mongoexport pg_basebackup sqldump \
            redis-dump expdp",
        "pg_dump(1) 16",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::databases::dump),
            ],
        },
    ])
    .taken_over()
    ,
];
