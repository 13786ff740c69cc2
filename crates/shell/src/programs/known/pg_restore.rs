// Generated from knowledge/programs/pg_restore.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            pg_restore mongorestore mongoimport dropdb dropuser createdb createuser initdb pg_ctl \
            pg_ctlcluster pg_upgrade pg_resetwal pg_dropcluster pg_createcluster vacuumdb reindexdb \
            pg_isready mysqladmin mysqlcheck mysqlimport mysqld mysql_secure_installation rabbitmqadmin \
            rabbitmqctl kafka-topics kafka-topics.sh kafka-console-producer kafka-console-consumer \
            kafka-configs kafka-delete-records kafka-consumer-groups kcat kafkacat nats pulsar-admin \
            zkCli.sh flyway liquibase sqitch dbmate goose-db atlas-db prisma sequelize knex typeorm hasura \
            redis-server mongod postgres elasticsearch-reset-password es_dump elasticdump influxd cypher",
        "dropdb(1) 16, kafka-topics 3.6",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::databases::admin),
            ],
        },
    ])
    .taken_over()
    ,
];
