//! Database clients: where the statements come from.

use doorward_core::intent::{Direction, WriteMode};

use crate::deed::{StdinRole, Word};

use super::call::Call;
use super::row::{Nature, ProgramRow, Style, works};
use super::word;

const MYSQL: &str = "-A|--no-auto-rehash -b -B|--batch -C|--compress -D|--database=data \
    -e|--execute=lang:mysql -E|--vertical -f|--force -G -h|--host=data -H|--html -i -L \
    -N|--skip-column-names -n -o -p?=secret --password?=secret -P|--port=num --protocol=data \
    -q|--quick -r|--raw -s|--silent -S|--socket=data -t|--table -T -u|--user=data -U|--safe-updates \
    --i-am-a-dummy -v|--verbose -V|--version -w -X|--xml --defaults-file=config \
    --defaults-extra-file=config --login-path=data --ssl-mode=data --ssl-ca=read --ssl-cert=read \
    --ssl-key=read --tee=write --pager=prog --init-command=lang:sql --delimiter=data \
    --local-infile?=data --default-character-set=data --connect-timeout=num --max-allowed-packet=num \
    --plugin-dir=file --default-auth=data --column-names --no-defaults --skip-ssl";

pub(super) static ROWS: &[ProgramRow] = &[
    works(
        "psql",
        "psql(1) 16",
        "-a|--echo-all -A|--no-align -b|--echo-errors -c|--command=lang:psql \
        -d|--dbname=data -e|--echo-queries -E|--echo-hidden -f|--file=file:psql \
        -F|--field-separator=data -h|--host=data -H|--html -l|--list -L|--log-file=write \
        -n|--no-readline -o|--output=data -p|--port=num -P|--pset=data -q|--quiet \
        -R|--record-separator=data -s|--single-step -S|--single-line -t|--tuples-only \
        -T|--table-attr=data -U|--username=data -v|--set|--variable=data -V|--version \
        -w|--no-password -W|--password -x|--expanded -X|--no-psqlrc -z -0 -1|--single-transaction \
        --csv",
        "",
    )
    .act(psql)
    .takes(StdinRole::Sent),
    works("mysql mariadb mycli", "mysql(1) 8.0", MYSQL, "").act(mysql).takes(StdinRole::Sent),
    works(
        "sqlite3 litecli sqlcipher duckdb libsql",
        "sqlite3(1) 3.45",
        "-A -append -ascii -bail \
        -batch -box -column -cmd=lang:sqlite -csv -deserialize -echo -init=file:sqlite -header \
        -noheader -help -html -interactive -json -line -list -lookaside=data -markdown -maxsize=num \
        -memtrace -mmap=num -newline=data -nofollow -nonce=data -nullvalue=data -pagecache=data \
        -pcachetrace -quote -readonly -safe -separator=data -stats -table -tabs -unsafe-testing \
        -version -vfs=data -zip -c=lang:sqlite -s -f=file:sqlite",
        "",
    )
    .style(Style::Word)
    .act(sqlite)
    .takes(StdinRole::Sent),
    works("redis-cli valkey-cli keydb-cli memcached-tool iredis", "redis-cli 7.2", "", "")
        .style(Style::Raw)
        .act(redis),
    works("mongosh mongo", "mongosh 2.1", "", "").style(Style::Raw).act(mongo),
    works(
        "cqlsh clickhouse-client clickhouse-local clickhouse sqlcmd isql osql bcp sqlplus usql \
        pgcli influx snowsql bq-sql trino presto beeline hive impala-shell spark-sql spark-submit \
        spark-shell cockroach crdb neo4j cypher-shell arangosh cbq tsql fbsql isql-fb rethinkdb \
        surreal dolt db2 vsql nzsql athena",
        "cqlsh 6.1",
        "",
        "",
    )
    .style(Style::Raw)
    .act(other),
    works(
        "pg_dump pg_dumpall mysqldump mariadb-dump mongodump mongoexport pg_basebackup sqldump \
        redis-dump expdp",
        "pg_dump(1) 16",
        "",
        "",
    )
    .style(Style::Raw)
    .act(dump),
    works(
        "pg_restore mongorestore mongoimport dropdb dropuser createdb createuser initdb pg_ctl \
        pg_ctlcluster pg_upgrade pg_resetwal pg_dropcluster pg_createcluster vacuumdb reindexdb \
        pg_isready mysqladmin mysqlcheck mysqlimport mysqld mysql_secure_installation rabbitmqadmin \
        rabbitmqctl kafka-topics kafka-topics.sh kafka-console-producer kafka-console-consumer \
        kafka-configs kafka-delete-records kafka-consumer-groups kcat kafkacat nats pulsar-admin \
        zkCli.sh flyway liquibase sqitch dbmate goose-db atlas-db prisma sequelize knex typeorm \
        hasura redis-server mongod postgres elasticsearch-reset-password es_dump elasticdump influxd \
        cypher",
        "dropdb(1) 16, kafka-topics 3.6",
        "",
        "",
    )
    .style(Style::Raw)
    .act(admin),
];

fn contact(call: &mut Call<'_>, scheme: &str) {
    let host = call
        .value("-h")
        .or_else(|| call.value("-d").filter(|name| name.text.contains("://")))
        .or_else(|| call.operands.iter().find(|word| word.text.contains("://")).cloned());
    match host {
        Some(host) if host.text.starts_with('/') => {}
        Some(host) => call.contact(&host, scheme, Direction::Both, Vec::new()),
        None => call.contact_named("localhost", scheme, Direction::Both),
    }
    if let (Some(port), Some(host)) = (
        call.value("-p").or_else(|| call.value("-P")).and_then(|port| port.text.parse().ok()),
        call.deeds.hosts.last_mut(),
    ) {
        host.port = Some(port);
    }
}

fn input(call: &mut Call<'_>, language: &str) {
    if !matches!(call.argv.stdin, crate::deed::Stdin::Inherited) {
        call.run_stdin(language, Vec::new());
    }
}

fn psql(call: &mut Call<'_>) {
    if call.has("-V") {
        call.nature = Nature::Reads;
        return;
    }
    contact(call, "postgresql");
    if let Some(output) = call.value("-o") {
        match word::after(&output, "|") {
            Some(text) => call.run_shell(text),
            None => {
                call.beyond_plain = true;
                call.write(&output, WriteMode::Create);
            }
        }
    }
    if !call.any(&["-c", "-f", "-l"]) {
        input(call, "psql");
    }
}

fn mysql(call: &mut Call<'_>) {
    if call.has("-V") {
        call.nature = Nature::Reads;
        return;
    }
    contact(call, "mysql");
    if !call.has("-e") {
        input(call, "mysql");
    }
}

fn sqlite(call: &mut Call<'_>) {
    if call.any(&["-version", "-help"]) {
        call.nature = Nature::Reads;
        return;
    }
    let database = call.operand(0);
    let statements = call.operands_from(1);
    for text in &statements {
        call.run_language("sqlite", text.clone());
    }
    if statements.is_empty() && !call.any(&["-cmd", "-c", "-init"]) {
        input(call, "sqlite");
    }
    if let Some(database) = database.filter(|database| database.text != ":memory:") {
        let first = |text: &Word| {
            text.text.trim_start().split([' ', ';', '(']).next().unwrap_or_default().to_ascii_lowercase()
        };
        let only_reads = call.has("-readonly")
            || !statements.is_empty()
                && statements.iter().all(|text| {
                    matches!(
                        first(text).as_str(),
                        "select"
                            | ".tables"
                            | ".schema"
                            | "pragma"
                            | "explain"
                            | ".dump"
                            | ".indexes"
                            | ".databases"
                            | "with"
                    ) && !text.text.contains(';') | text.text.trim_end().ends_with(';')
                });
        if only_reads {
            call.read(&database);
        } else {
            call.read(&database);
            call.write(&database, WriteMode::InPlace);
        }
    }
}

fn words_of(call: &Call<'_>, takes: &[&str]) -> Vec<Word> {
    let mut words = Vec::new();
    let mut iter = call.operands.iter();
    while let Some(word) = iter.next() {
        if takes.contains(&word.text.as_str()) {
            iter.next();
        } else if !word.text.starts_with('-') {
            words.push(word.clone());
        }
    }
    words
}

fn option(call: &Call<'_>, names: &[&str]) -> Option<Word> {
    call.operands.iter().enumerate().find_map(|(at, word)| {
        if names.contains(&word.text.as_str()) {
            return call.operand(at + 1);
        }
        word::halves(word, '=')
            .filter(|(name, _)| names.contains(&name.text.as_str()))
            .map(|(_, value)| value)
    })
}

fn redis(call: &mut Call<'_>) {
    if call.operands.iter().any(|word| matches!(word.text.as_str(), "--version" | "-v"))
        && call.operands.len() == 1
    {
        call.nature = Nature::Reads;
        return;
    }
    match option(call, &["-h", "-u"]) {
        Some(host) => call.contact(&host, "redis", Direction::Both, Vec::new()),
        None => call.contact_named("localhost", "redis", Direction::Both),
    }
    if let Some(file) = option(call, &["--eval"]) {
        call.run_file(&file, "lua", Vec::new());
    }
    let words = words_of(
        call,
        &["-h", "-p", "-a", "-n", "-u", "--user", "--pass", "-r", "-i", "-s", "-x", "--pattern"],
    );
    let verb = words.first().map(|verb| verb.text.to_ascii_uppercase()).unwrap_or_default();
    let second = words.get(1).map(|word| word.text.to_ascii_uppercase()).unwrap_or_default();
    match verb.as_str() {
        "FLUSHALL" | "FLUSHDB" | "SHUTDOWN" | "SWAPDB" => {
            call.finding("shell.data_loss", format!("{verb} empties or stops the server"))
        }
        "DEL" | "UNLINK" => call.finding("shell.data_loss", "deletes keys"),
        "CONFIG" if second == "SET" || second == "REWRITE" => {
            call.finding("shell.tamper", "changes the server's settings")
        }
        "EVAL" | "EVALSHA" | "FUNCTION" | "SCRIPT" | "MODULE" | "SLAVEOF" | "REPLICAOF" | "DEBUG"
        | "MIGRATE" | "CLUSTER" | "ACL" => {
            if verb == "EVAL"
                && let Some(text) = words.get(1)
            {
                call.run_language("lua", text.clone());
            } else {
                call.finding(
                    "shell.tamper",
                    format!("{verb} changes what the server runs or whom it follows"),
                );
            }
        }
        _ => {}
    }
    if verb.is_empty() {
        input(call, "redis");
    }
}

fn mongo(call: &mut Call<'_>) {
    match call
        .operands
        .iter()
        .find(|word| word.text.contains("://"))
        .cloned()
        .or_else(|| option(call, &["--host"]))
    {
        Some(host) => call.contact(&host, "mongodb", Direction::Both, Vec::new()),
        None => call.contact_named("localhost", "mongodb", Direction::Both),
    }
    match option(call, &["--eval"]) {
        Some(text) => call.run_language("mongo", text),
        None => match words_of(
            call,
            &["--host", "--port", "-u", "-p", "--username", "--password", "--authenticationDatabase"],
        )
        .into_iter()
        .find(|word| word.text.ends_with(".js"))
        {
            Some(file) => call.run_file(&file, "javascript", Vec::new()),
            None => input(call, "mongo"),
        },
    }
}

fn other(call: &mut Call<'_>) {
    match option(call, &["-h", "--host", "-S", "--server", "-H", "-u", "--url"])
        .filter(|host| !host.text.contains(' '))
    {
        Some(host) => call.contact(&host, "sql", Direction::Both, Vec::new()),
        None => call.contact_named("localhost", "sql", Direction::Both),
    }
    if let Some(file) = option(call, &["-f", "-i", "--file", "--input-file"]) {
        call.run_file(&file, "sql", Vec::new());
    }
    match option(call, &["-e", "-q", "-Q", "--query", "--execute", "-c", "-s", "--command"]) {
        Some(text) if call.program != "influx" || text.text.contains(' ') => call.run_language("sql", text),
        Some(_) => {}
        None => {
            let statement = call.operands.iter().rfind(|word| word.text.contains(' ')).cloned();
            match statement {
                Some(text) => call.run_language("sql", text),
                None => input(call, "sql"),
            }
        }
    }
}

fn dump(call: &mut Call<'_>) {
    let host = option(call, &["-h", "--host", "--uri"]);
    match host {
        Some(host) => call.contact(&host, "sql", Direction::Fetch, Vec::new()),
        None => call.contact_named("localhost", "sql", Direction::Fetch),
    }
    if let Some(file) =
        option(call, &["-f", "--file", "--result-file", "-r", "-o", "--out", "-D", "--pgdata"])
    {
        call.beyond_plain = true;
        call.write(&file, WriteMode::Create);
    }
}

fn admin(call: &mut Call<'_>) {
    let words: Vec<String> = call.operands.iter().map(|word| word.text.clone()).collect();
    let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    let name = call.program.clone();
    let program = name.as_str();
    if program == "pg_isready"
        || has(&[
            "--list",
            "--describe",
            "list",
            "status",
            "info",
            "validate",
            "ping",
            "list_queues",
            "report",
            "version",
            "--version",
        ]) && !has(&["--delete", "--alter", "delete", "reset"])
    {
        call.nature = Nature::Reads;
        return;
    }
    let destroys = matches!(
        program,
        "dropdb" | "dropuser" | "pg_dropcluster" | "pg_resetwal" | "initdb-force" | "kafka-delete-records"
    ) || has(&[
        "--delete",
        "drop",
        "delete",
        "reset",
        "clean",
        "purge",
        "--drop",
        "dropAll",
        "drop-all",
        "purge_queue",
        "delete_queue",
        "force_reset",
        "migrate:reset",
        "db:drop",
        "undo",
        "down",
        "rollback",
        "deleteall",
        "rmr",
        "--force-reset",
        "--reset-offsets",
        "--clean",
        "-c",
    ]) && !matches!(program, "mysqlimport" | "kafka-console-consumer" | "nats");
    call.contact_named("localhost", "sql", Direction::Both);
    if destroys {
        call.finding("shell.data_loss", format!("{program} destroys data"));
    }
    for file in words
        .iter()
        .zip(call.operands.clone())
        .filter(|(text, _)| {
            !text.starts_with('-')
                && (text.ends_with(".dump") || text.ends_with(".sql") || text.ends_with(".json"))
        })
        .map(|(_, word)| word)
        .collect::<Vec<_>>()
    {
        call.read(&file);
    }
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn statements_are_found() {
        check(&[
            ("psql -c 'DROP TABLE x'", "both localhost; psql DROP TABLE x"),
            ("psql -h a.example -f x.sql", "both a.example; file x.sql"),
            ("mysql -e 'TRUNCATE x'", "both localhost; mysql TRUNCATE x"),
            ("mysql --exec='TRUNCATE x'", "both localhost; mysql TRUNCATE x"),
            ("sqlite3 a.db 'DELETE FROM x'", "read a.db; inplace a.db; sqlite DELETE FROM x"),
            ("sqlite3 a.db 'select 1'", "read a.db; sqlite select 1"),
            ("redis-cli FLUSHALL", "both localhost; data_loss"),
            ("redis-cli get x", "both localhost; plain"),
            ("cqlsh -e 'DROP KEYSPACE k'", "both localhost; sql DROP KEYSPACE k"),
            ("dropdb x", "both localhost; data_loss"),
            ("kafka-topics --delete --topic x", "both localhost; data_loss"),
        ]);
    }
}
