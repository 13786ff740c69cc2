// Generated from knowledge/programs/pg_restore.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            pg_restore mongorestore mongoimport createdb createuser initdb pg_ctl pg_ctlcluster pg_upgrade \
            pg_createcluster vacuumdb reindexdb mysqladmin mysqlcheck mysqld mysql_secure_installation \
            rabbitmqadmin rabbitmqctl kafka-topics kafka-topics.sh kafka-console-producer kafka-configs \
            kafka-consumer-groups kcat kafkacat pulsar-admin zkCli.sh flyway liquibase sqitch dbmate \
            goose-db atlas-db prisma sequelize knex typeorm hasura redis-server mongod postgres \
            elasticsearch-reset-password es_dump elasticdump influxd cypher",
        "dropdb(1) 16, kafka-topics 3.6",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["*host=*", "*hostaddr=*", "*service=*"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUrls("https", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["pg_restore"]),
                Condition::Word(&["-f"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["--delete", "--alter", "delete", "reset"]),
                Condition::Operand(&["--list", "--describe", "list", "status", "info", "validate", "ping",
                        "list_queues", "report", "version", "--version"]),
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
                Act::Contacts("localhost", "sql", Direction::Both),
                Act::Picked(Pick { at: &["0.."], fits: &["*.dump", "*.sql", "*.json"],
                    except: &["-*"], after: &[] }, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--delete", "drop", "delete", "reset", "clean", "purge", "--drop",
                        "dropAll", "drop-all", "purge_queue", "delete_queue", "-c", "--clean"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "{program} destroys data"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["force_reset", "migrate:reset", "db:drop", "undo", "down", "rollback",
                        "deleteall", "rmr", "--force-reset", "--reset-offsets"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "{program} destroys data"),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "pg_isready",
        "pg_isready(1) 16",
        "",
        "data*",
    )
    .style(Style::Raw)
    .taken_over()
    ,
    works(
        "dropdb dropuser pg_dropcluster pg_resetwal kafka-delete-records",
        "dropdb(1) 16, kafka-topics 3.6",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::NoOperand(&["--delete", "--alter", "delete", "reset"]),
                Condition::Operand(&["--list", "--describe", "list", "status", "info", "validate", "ping",
                        "list_queues", "report", "version", "--version"]),
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
                Act::Contacts("localhost", "sql", Direction::Both),
                Act::Picked(Pick { at: &["0.."], fits: &["*.dump", "*.sql", "*.json"],
                    except: &["-*"], after: &[] }, Role::Read),
                Act::Finding("shell.data_loss", "{program} destroys data"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "mysqlimport kafka-console-consumer nats",
        "mysqlimport(1) 8.0, nats 0.1",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::NoOperand(&["--delete", "--alter", "delete", "reset"]),
                Condition::Operand(&["--list", "--describe", "list", "status", "info", "validate", "ping",
                        "list_queues", "report", "version", "--version"]),
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
                Act::Contacts("localhost", "sql", Direction::Both),
                Act::Picked(Pick { at: &["0.."], fits: &["*.dump", "*.sql", "*.json"],
                    except: &["-*"], after: &[] }, Role::Read),
            ],
        },
    ])
    .taken_over()
    ,
];
