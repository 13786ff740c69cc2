// Generated from knowledge/programs/cqlsh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const CLIENT: &str = "\
    -h|--host=data -S|--server=data -H=data -u|--url=data -f|-i|--file|--input-file=file:sql";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            cqlsh clickhouse-client clickhouse-local clickhouse sqlcmd isql osql bcp sqlplus usql pgcli \
            snowsql bq-sql trino presto beeline hive impala-shell spark-sql spark-submit spark-shell \
            cockroach crdb neo4j cypher-shell arangosh cbq tsql fbsql isql-fb rethinkdb surreal dolt db2 \
            vsql nzsql athena",
        "cqlsh 6.1",
        "-e|-q|-Q|--query|--execute|-c|-s|--command=lang:sql",
        "data*",
    )
    .also(CLIENT)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Program(&["spark-submit", "spark-shell"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "runs a program on a cluster"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["@*"]),
                Condition::Program(&["sqlplus"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs a script of {program}"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--javascript."]),
                Condition::Program(&["arangosh"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "gives {program} code that it runs"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["start", "start-single-node", "demo"]),
                Condition::Program(&["cockroach", "crdb", "surreal"]),
            ],
            acts: &[
                Act::Listens("0.0.0.0", "sql", &[]),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["sql-server", "server"]),
                Condition::Program(&["dolt", "clickhouse"]),
            ],
            acts: &[
                Act::Listens("0.0.0.0", "sql", &[]),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["push"]),
                Condition::Program(&["dolt"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Send),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["reset"]),
                Condition::Program(&["dolt"]),
                Condition::Word(&["--hard"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "throws away what wasn't committed"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["sqlcmd", "bcp", "vsql", "rethinkdb"]),
                Condition::Word(&["-o", "out", "queryout", "dump"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Mentions,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["-h", "-S", "-H", "-u"], fits: &[], except: &["*␣*",
                    "/*"], after: &[] }, "sql", Direction::Both, &[], "localhost", false),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-e"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["*␣*"], except: &[], after: &[] }, Role::Lang("sql")),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-e"]),
                Condition::NoOperand(&["*␣*"]),
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::RunsStdin("sql"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "influx",
        "influx 1.8",
        "-e|-q|-Q|--query|--execute|-c|-s|--command=data",
        "data*",
    )
    .also(CLIENT)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["-h", "-S", "-H", "-u"], fits: &[], except: &["*␣*",
                    "/*"], after: &[] }, "sql", Direction::Both, &[], "localhost", false),
                Act::Picked(Pick { at: &["-e"], fits: &["*␣*"], except: &[], after: &[] }, Role::Lang("sql")),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-e"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["*␣*"], except: &[], after: &[] }, Role::Lang("sql")),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-e"]),
                Condition::NoOperand(&["*␣*"]),
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::RunsStdin("sql"),
            ],
        },
    ])
    .taken_over()
    ,
];
