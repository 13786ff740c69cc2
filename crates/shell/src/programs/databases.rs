//! Database clients: where the statements come from.

use doorward_core::intent::WriteMode;

use crate::deed::Word;

use super::call::Call;
use super::row::Nature;

fn input(call: &mut Call<'_>, language: &str) {
    if !matches!(call.argv.stdin, crate::deed::Stdin::Inherited) {
        call.run_stdin(language, Vec::new());
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
