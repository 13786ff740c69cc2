//! Database clients: where the statements come from.

use doorward_core::intent::{Direction, WriteMode};

use crate::deed::Word;

use super::call::Call;
use super::row::Nature;
use super::word;

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

pub(in crate::programs) fn psql(call: &mut Call<'_>) {
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

pub(in crate::programs) fn mysql(call: &mut Call<'_>) {
    if call.has("-V") {
        call.nature = Nature::Reads;
        return;
    }
    contact(call, "mysql");
    if !call.has("-e") {
        input(call, "mysql");
    }
}

pub(in crate::programs) fn sqlite(call: &mut Call<'_>) {
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

pub(in crate::programs) fn redis(call: &mut Call<'_>) {
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

pub(in crate::programs) fn mongo(call: &mut Call<'_>) {
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

pub(in crate::programs) fn other(call: &mut Call<'_>) {
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

pub(in crate::programs) fn dump(call: &mut Call<'_>) {
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

pub(in crate::programs) fn admin(call: &mut Call<'_>) {
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
