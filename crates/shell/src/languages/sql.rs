//! SQL and the meta commands of its clients: psql 16, mysql 8.0, sqlite3 3.45, redis 7.

use doorward_core::intent::{Code, WriteMode};

use super::rules::{self, NameRole};
use super::{CodeEffects, Value};

/// What the statements do.
pub(super) fn describe(effects: &mut CodeEffects, text: &str, dialect: &str) {
    let mut rest = String::new();
    for line in text.lines() {
        let trimmed = line.trim_start();
        // Commands of the client: of hive, beeline, sqlcmd, impala-shell and sqlplus where the dialect is nobody's.
        let own: &[&str] = match dialect {
            "mysql" => &["\\", "system ", "source ", "tee ", "pager "],
            "psql" => &["\\"],
            "sqlite" => &["\\", "."],
            _ => &["\\", "!", ":!!", ":r ", ":out ", ":error ", "shell ", "source ", "host ", "spool "],
        };
        let meta = own.iter().any(|front| trimmed.starts_with(front));
        if meta {
            self::meta(effects, trimmed);
            continue;
        }
        // psql also takes a meta command behind a statement.
        match trimmed.find(['\\']).filter(|_| !trimmed.contains('\'')) {
            Some(at) => {
                meta_at(effects, trimmed, at);
                rest.push_str(trimmed.get(..at).unwrap_or_default());
            }
            None => rest.push_str(line),
        }
        rest.push('\n');
    }
    effects.only_reads = only_reads(text, dialect);
    let mut any = false;
    for statement in statements(&rest) {
        any = true;
        self::statement(effects, &statement);
    }
    if any && effects.deeds.findings.is_empty() && effects.deeds.runs.is_empty() {
        effects.finding("code.snippet", "SQL that reads or changes rows");
    }
}

/// Whether the text holds nothing but statements and meta commands that read.
fn only_reads(text: &str, dialect: &str) -> bool {
    let row = rules::of("sql");
    let mut rest = String::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('\\') || line.starts_with('.') && dialect == "sqlite" {
            let name = line.split_ascii_whitespace().next().unwrap_or_default().trim_end_matches(';');
            let describes = name.starts_with("\\d")
                && name.bytes().skip(1).all(|byte| byte.is_ascii_alphabetic() || byte == b'+');
            if !(row.has(NameRole::Looks, name) || describes) || line.contains('|') {
                return false;
            }
            continue;
        }
        rest.push_str(line);
        rest.push('\n');
    }
    !rest.contains('\\')
        && statements(&rest).iter().all(|statement| {
            let words = words_of(statement);
            matches!(
                words.first().map(String::as_str),
                Some("SELECT" | "SHOW" | "EXPLAIN" | "DESCRIBE" | "DESC" | "WITH" | "VALUES" | "TABLE")
            ) && !words.iter().any(|word| row.has(NameRole::Changes, word))
        })
}

fn meta_at(effects: &mut CodeEffects, line: &str, at: usize) {
    if let Some(rest) = line.get(at..) {
        meta(effects, rest);
    }
}

/// Commands of sqlite3's shell that run, write or read something; it takes any beginning of them (shell.c, 3.45).
const DOT_COMMANDS: &[&str] = &[
    ".backup", ".clone", ".excel", ".import", ".load", ".log", ".once", ".open", ".output", ".read",
    ".restore", ".save", ".shell", ".system", ".trace", ".www",
];

fn meta(effects: &mut CodeEffects, line: &str) {
    let name: String = line.chars().take_while(|letter| !letter.is_whitespace()).collect();
    let argument = Value::literal(
        line.get(name.len()..)
            .unwrap_or_default()
            .trim()
            .trim_end_matches(';')
            .trim()
            .trim_matches(['\'', '"']),
    );
    if let Some(glued) = name.strip_prefix("\\!").filter(|glued| !glued.is_empty()) {
        return effects.shell(&Value::literal(format!("{glued} {}", argument.text)));
    }
    // `!rm x`, `!sh rm x`.
    if let Some(glued) = name.strip_prefix('!').filter(|glued| !glued.is_empty() && *glued != "=") {
        let text = if glued == "sh" { argument.text } else { format!("{glued} {}", argument.text) };
        return effects.shell(&Value::literal(text));
    }
    let words = line.get(name.len()..).unwrap_or_default().trim_start();
    let piped = piped_of(words).map(Value::literal);
    let short = name.trim_end_matches(';');
    let whole = DOT_COMMANDS.iter().find(|own| short.len() > 2 && own.starts_with(short)).copied();
    match whole.unwrap_or(short) {
        // Whatever dot command it is short for: what stands behind a bar is run.
        name if name.starts_with('.') && whole.is_none() && piped.is_some() => {
            effects.shell(&piped.unwrap_or_default());
        }
        "\\!" | "!" | ":!!" | "system" | "shell" | "host" | ".shell" | ".system" => effects.shell(&argument),
        "\\lo_export" => {
            let file = argument.text.split_ascii_whitespace().nth(1).unwrap_or_default();
            effects.write(&Value::literal(file), WriteMode::Create);
        }
        "\\lo_import" => effects.read(&argument),
        // It unpacks here.
        ".archive" | ".ar" if extracts(&argument.text) => {
            effects.write(&Value::literal("."), WriteMode::Create);
        }
        "\\o" | "\\out" | "\\w" | "\\g" | "\\gx" | ".output" | ".once" | ".log" | ".save" | ".backup"
        | "tee" | "spool" | ":out" | ":error" | "\\T" | "\\s" | ".excel" | ".clone" | ".trace" | ".www" => {
            match piped {
                Some(command) => {
                    effects.shell(&command);
                    if super::is_interpreter(&command.text) {
                        effects.finding("shell.generated_code", "a command is given what a query returns");
                    }
                }
                None if argument.text.is_empty()
                    || matches!(argument.text.as_str(), "stdout" | "off" | "-") => {}
                None => effects.write(&argument, WriteMode::Create),
            }
        }
        name @ ("\\i" | "\\ir" | "\\include" | "\\." | "source" | ":r" | ".read" | ".import" | ".restore"
        | ".open") => {
            let file = Value::literal(argument.text.split_ascii_whitespace().next().unwrap_or_default());
            match piped {
                Some(command) => effects.shell(&command),
                None if matches!(name, ".import" | ".restore" | ".open") => effects.read(&file),
                // What it holds is run as if it stood here.
                None => effects.file(&file, Code::Language(effects.language.clone())),
            }
        }
        "\\copy" => copy(effects, &argument.text),
        "\\P" | "pager" | "\\setenv" | "\\e" | "\\ef" | "\\edit" if !argument.text.is_empty() => {
            effects.shell(&argument);
        }
        "\\gexec" => effects.finding("shell.generated_code", "runs what a query returns"),
        "\\set" if argument.text.contains('`') => {
            effects.shell(&Value::literal(argument.text.split('`').nth(1).unwrap_or_default()))
        }
        ".load" => effects.finding("shell.obfuscated", "loads native code into the database"),
        _ => {}
    }
}

/// Whether options of sqlite3's archiver unpack.
fn extracts(options: &str) -> bool {
    let short = |word: &str| word.starts_with('-') && !word.starts_with("--") && word.contains('x');
    options.split_ascii_whitespace().any(|word| word == "--extract" || short(word))
}

/// The command in the first word that is no option: `|COMMAND` up to the end, or between quotation marks.
fn piped_of(words: &str) -> Option<String> {
    let mut rest = words;
    while rest.starts_with('-') {
        rest = rest.split_once(char::is_whitespace)?.1.trim_start();
    }
    let quoted = rest.chars().next().filter(|mark| matches!(mark, '\'' | '"'));
    let word = match quoted {
        Some(mark) => rest.get(1..)?.split(mark).next()?,
        None => rest.trim_end_matches(';'),
    };
    word.strip_prefix('|').map(|text| text.trim().to_owned())
}

/// Statements, without comments; quoted text is kept out of the words that count.
fn statements(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let mut found = Vec::new();
    let mut current = String::new();
    let mut at = 0;
    while let Some(&letter) = letters.get(at) {
        let next = letters.get(at + 1).copied();
        match letter {
            '-' if next == Some('-') => {
                while letters.get(at).is_some_and(|letter| *letter != '\n') {
                    at += 1;
                }
                continue;
            }
            // MySQL runs what stands in `/*! … */`.
            '/' if next == Some('*') && letters.get(at + 2) != Some(&'!') => {
                at += 2;
                while at < letters.len()
                    && !(letters.get(at) == Some(&'*') && letters.get(at + 1) == Some(&'/'))
                {
                    at += 1;
                }
                at += 2;
                current.push(' ');
                continue;
            }
            '\'' | '"' | '`' => {
                current.push(letter);
                at += 1;
                while let Some(&inner) = letters.get(at) {
                    current.push(inner);
                    at += 1;
                    if inner == letter {
                        break;
                    }
                }
                continue;
            }
            ';' => {
                if !current.trim().is_empty() {
                    found.push(std::mem::take(&mut current));
                }
                current.clear();
            }
            letter => current.push(letter),
        }
        at += 1;
    }
    if !current.trim().is_empty() {
        found.push(current);
    }
    found
}

/// The words of a statement outside quotes, in capitals.
fn words_of(statement: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut quote = None;
    let mut word = String::new();
    for letter in statement.chars() {
        match quote {
            Some(open) if open == letter => quote = None,
            Some(_) => {}
            None if matches!(letter, '\'' | '"' | '`') => quote = Some(letter),
            None if letter.is_alphanumeric() || letter == '_' => word.extend(letter.to_uppercase()),
            None => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// The quoted text after a word.
fn quoted_after(statement: &str, word: &str) -> Option<String> {
    let upper = statement.to_ascii_uppercase();
    let at = upper.find(word)? + word.len();
    let rest = statement.get(at..)?;
    let open = rest.find(['\'', '"'])?;
    let quote = rest.get(open..)?.chars().next()?;
    rest.get(open + 1..)?.split(quote).next().map(str::to_owned)
}

fn statement(effects: &mut CodeEffects, text: &str) {
    let words = words_of(text);
    let has = |word: &str| words.iter().any(|own| own == word);
    let first = words.first().map(String::as_str).unwrap_or_default();
    // Table functions and editors that run a command (ClickHouse; sqlite3, edit()).
    for word in ["EXECUTABLE", "EDIT"] {
        if let (true, Some(command)) = (has(word), quoted_after(text, &format!("{word}("))) {
            let command = match word {
                "EDIT" => text.split(['\'', '"']).rev().nth(1).unwrap_or_default().to_owned(),
                _ => command,
            };
            effects.shell(&Value::literal(command));
        }
    }
    // DuckDB: a file's name stands where a table's does.
    if has("FROM")
        && let Some(file) = quoted_after(text, "FROM ")
        && file.contains(['.', '/'])
    {
        effects.read(&Value::literal(file));
    }
    match first {
        "DROP" | "TRUNCATE" => {
            effects.finding("shell.data_loss", format!("{first} destroys what the database keeps"))
        }
        "DELETE" | "UPDATE" if !has("WHERE") || always(text) => {
            effects.finding("shell.data_loss", format!("{first} without a condition changes every row"))
        }
        "ALTER" if has("DROP") => effects.finding("shell.data_loss", "ALTER … DROP loses a column or more"),
        "GRANT" | "REVOKE" => effects.finding("shell.privilege", format!("{first} changes who may do what")),
        "ALTER" | "CREATE"
            if words.get(1).is_some_and(|word| matches!(word.as_str(), "ROLE" | "USER" | "SYSTEM")) =>
        {
            effects.finding("shell.privilege", "changes who may do what")
        }
        "CREATE"
            if has("LANGUAGE")
                && (text.to_ascii_lowercase().contains("plpython")
                    || text.to_ascii_lowercase().contains("plperlu")
                    || text.to_ascii_lowercase().contains(" c "))
                || first == "CREATE" && has("EXTENSION") && has("DBLINK") =>
        {
            effects.finding("shell.obfuscated", "puts code into the database")
        }
        "FLUSH" | "PURGE" | "RESET" | "VACUUM" | "SHUTDOWN" if first != "VACUUM" => {
            effects.finding("shell.data_loss", format!("{first} empties logs, caches or the server"))
        }
        "COPY" => copy(effects, text),
        // Snowflake's stages: a file goes there, or comes from there into a folder.
        "PUT" | "GET" if text.contains("file://") => {
            let path = text.split("file://").nth(1).unwrap_or_default();
            let path = path.split([' ', '\'', '"', '\n']).next().unwrap_or_default();
            match first {
                "PUT" => effects.read(&Value::literal(path)),
                _ => effects.write(&Value::literal(path), WriteMode::Create),
            }
        }
        // Cypher; a pattern in braces is a condition.
        "MATCH" if has("DELETE") && !has("WHERE") && !text.contains('{') => {
            effects.finding("shell.data_loss", "DELETE without a condition deletes all that it finds")
        }
        "EXEC" | "EXECUTE" if has("XP_CMDSHELL") => {
            let command = quoted_after(text, "XP_CMDSHELL").map_or_else(Value::unknown, Value::literal);
            effects.shell(&command);
        }
        "ATTACH" => {
            if let Some(file) = quoted_after(text, "ATTACH") {
                effects.write(&Value::literal(file), WriteMode::InPlace);
            }
        }
        "WITH" | "EXPLAIN" | "BEGIN" | "DO"
            if has("DELETE") && !has("WHERE") || has("DROP") || has("TRUNCATE") =>
        {
            effects.finding("shell.data_loss", "destroys what the database keeps")
        }
        _ => {}
    }
    files(effects, text, first, &has);
}

/// The files that a statement names, and native code.
fn files(effects: &mut CodeEffects, text: &str, first: &str, has: &dyn Fn(&str) -> bool) {
    for word in rules::of("sql").names_of(NameRole::ReadsFile) {
        if has(word)
            && let Some(file) = quoted_after(text, word)
        {
            effects.read(&Value::literal(file));
        }
    }
    for word in ["OUTFILE", "DUMPFILE", "WRITEFILE", "LO_EXPORT"] {
        if has(word)
            && let Some(file) = quoted_after(text, word)
        {
            effects.write(&Value::literal(file), WriteMode::Create);
        }
    }
    if has("LOAD_EXTENSION") || has("SYS_EXEC") || has("SYS_EVAL") || has("XP_CMDSHELL") && first != "EXEC" {
        effects.finding("shell.obfuscated", "runs native code through the database");
    }
}

/// A condition that holds for every row.
fn always(text: &str) -> bool {
    let upper: String = text.to_ascii_uppercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let condition = upper
        .split_once(" WHERE ")
        .map(|(_, condition)| condition.trim().replace(' ', ""))
        .unwrap_or_default();
    matches!(condition.as_str(), "1=1" | "TRUE" | "1" | "'1'='1'" | "(1=1)")
}

fn copy(effects: &mut CodeEffects, text: &str) {
    let words = words_of(text);
    let to = words.iter().any(|word| word == "TO");
    if words.iter().any(|word| word == "PROGRAM") {
        let command = quoted_after(text, "PROGRAM").map_or_else(Value::unknown, Value::literal);
        return effects.shell(&command);
    }
    if let Some(file) = quoted_after(text, if to { " TO " } else { " FROM " }) {
        let file = Value::literal(file);
        return if to { effects.write(&file, WriteMode::Create) } else { effects.read(&file) };
    }
    // psql's own takes a name without quotes.
    let mut bare = text
        .split_ascii_whitespace()
        .skip_while(|word| !word.eq_ignore_ascii_case(if to { "to" } else { "from" }));
    if let Some(file) =
        bare.nth(1).filter(|file| !file.eq_ignore_ascii_case("stdin") && !file.eq_ignore_ascii_case("stdout"))
    {
        let file = Value::literal(file.trim_end_matches(';'));
        if to { effects.write(&file, WriteMode::Create) } else { effects.read(&file) }
    }
}

/// Commands of a redis script, one a line.
pub(super) fn redis(effects: &mut CodeEffects, text: &str) {
    for line in text.lines() {
        let verb = line.split_ascii_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        match verb.as_str() {
            "FLUSHALL" | "FLUSHDB" | "SHUTDOWN" | "DEL" | "UNLINK" => {
                effects.finding("shell.data_loss", format!("{verb} empties or stops the server"))
            }
            "CONFIG" | "SLAVEOF" | "REPLICAOF" | "MODULE" | "EVAL" | "SCRIPT" => {
                effects.finding("shell.tamper", format!("{verb} changes what the server runs"))
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::check;

    #[test]
    fn statements_and_meta_commands() {
        check(
            "psql",
            &[
                ("SELECT 1", "code.snippet; plain"),
                ("DROP TABLE x", "data_loss"),
                ("select 'drop table x'", "code.snippet; plain"),
                ("DELETE FROM x", "data_loss"),
                ("DELETE FROM x WHERE id = 1", "code.snippet"),
                ("DELETE FROM x WHERE 1 = 1", "data_loss"),
                ("UPDATE users SET role='admin'", "data_loss"),
                ("/* x */ TRUNCATE y -- z", "data_loss"),
                ("ALTER TABLE x DROP COLUMN y", "data_loss"),
                ("GRANT ALL ON x TO y", "privilege"),
                ("COPY x FROM PROGRAM 'rm y'", "sh rm y"),
                ("COPY x TO '/tmp/y'", "create /tmp/y; code.snippet"),
                ("\\! rm x", "sh rm x"),
                ("\\o |rm x", "sh rm x"),
                ("\\lo_export 1 x", "create x"),
                ("\\copy x to 'y.csv'", "create y.csv"),
            ],
        );
        check(
            "mysql",
            &[
                ("\\! rm x", "sh rm x"),
                ("system rm x", "sh rm x"),
                ("SELECT 1 INTO OUTFILE '/tmp/x'", "create /tmp/x; code.snippet"),
            ],
        );
        check(
            "sqlite",
            &[
                (".shell rm x", "sh rm x"),
                (".output |rm x", "sh rm x"),
                (".archive -x", "create ."),
                (".tables", "code.snippet; plain"),
                ("select readfile('.env')", "read .env; code.snippet"),
                ("select writefile('a','b')", "create a; code.snippet"),
            ],
        );
        check(
            "sql",
            &[
                ("!rm x;", "sh rm x"),
                ("!sh rm x", "sh rm x"),
                (":!! rm x", "sh rm x"),
                ("shell rm x", "sh rm x"),
                ("PUT file:///home/user/a @~", "read /home/user/a; code.snippet"),
                ("MATCH (n) DETACH DELETE n", "data_loss"),
                ("MATCH (n {id: 1}) DETACH DELETE n", "code.snippet"),
            ],
        );
        check("redis", &[("FLUSHALL", "data_loss"), ("get x", "code.snippet")]);
    }
}
