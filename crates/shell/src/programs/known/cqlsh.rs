// Generated from knowledge/programs/cqlsh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            cqlsh clickhouse-client clickhouse-local clickhouse sqlcmd isql osql bcp sqlplus usql pgcli \
            influx snowsql bq-sql trino presto beeline hive impala-shell spark-sql spark-submit \
            spark-shell cockroach crdb neo4j cypher-shell arangosh cbq tsql fbsql isql-fb rethinkdb \
            surreal dolt db2 vsql nzsql athena",
        "cqlsh 6.1",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::databases::other),
            ],
        },
    ])
    .taken_over()
    ,
];
