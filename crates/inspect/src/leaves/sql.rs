//! Whether a text is SQL as a whole: its first statement, and any that counts, fit the grammar so far that a sentence
//! doesn't. What the statements do is told by the reader of SQL in `doorward-shell`.

use super::Role;

/// Statements that may stand before another, and say little by themselves.
const OPENERS: &[&str] = &[
    "BEGIN",
    "CALL",
    "COMMIT",
    "DO",
    "EXEC",
    "EXECUTE",
    "LOCK",
    "PRAGMA",
    "ROLLBACK",
    "SAVEPOINT",
    "SET",
    "SHOW",
    "START",
    "USE",
    "VACUUM",
];
/// What is dropped, altered and made.
const OBJECTS: &[&str] = &[
    "AGGREGATE",
    "COLLECTION",
    "COLUMN",
    "CONSTRAINT",
    "DATABASE",
    "DOMAIN",
    "EVENT",
    "EXTENSION",
    "FUNCTION",
    "INDEX",
    "KEYSPACE",
    "MATERIALIZED",
    "OWNED",
    "POLICY",
    "PROCEDURE",
    "PUBLICATION",
    "ROLE",
    "SCHEMA",
    "SEQUENCE",
    "SERVER",
    "SUBSCRIPTION",
    "SYSTEM",
    "TABLE",
    "TABLESPACE",
    "TRIGGER",
    "TYPE",
    "USER",
    "VIEW",
];
/// What follows the name of what is altered.
const CHANGES: &[&str] = &[
    "ADD",
    "ALTER",
    "ATTACH",
    "CHANGE",
    "DETACH",
    "DISABLE",
    "DROP",
    "ENABLE",
    "IDENTIFIED",
    "MODIFY",
    "OWNER",
    "PASSWORD",
    "RENAME",
    "RESET",
    "SET",
    "SUPERUSER",
    "WITH",
];
/// What follows the name of what is made.
const MAKES: &[&str] = &[
    "(",
    "AFTER",
    "AS",
    "BEFORE",
    "FROM",
    "IDENTIFIED",
    "LANGUAGE",
    "LOGIN",
    "ON",
    "OWNER",
    "PASSWORD",
    "RETURNS",
    "SELECT",
    "SUPERUSER",
    "USING",
    "WITH",
];
/// Words beside the names in DROP and TRUNCATE.
const BESIDE: &[&str] = &[
    "BY",
    "CASCADE",
    "CONCURRENTLY",
    "CONSTRAINTS",
    "CONTINUE",
    "EXISTS",
    "FORCE",
    "IDENTITY",
    "IF",
    "ONLY",
    "PURGE",
    "RESTART",
    "RESTRICT",
    "TABLE",
    "VIEW",
    "WITH",
];
/// Commands of clients that run a shell or read and write files.
const META: &[&str] =
    &["\\!", "\\copy ", "\\i ", "\\o |", "\\o ", "\\w ", ".shell ", ".system ", ".read ", ".output |"];
/// Tokens of a statement that gives a role: `GRANT ROLE admin TO USER x`.
const MOST_OF_A_GRANT: usize = 6;
/// Tokens of a statement that are looked at.
const TOKENS: usize = 64;

pub(super) fn is_sql(text: &str, role: Role) -> bool {
    if META.iter().any(|meta| text.starts_with(meta)) {
        return true;
    }
    // A sentence begins with a capital, and SQL is written in one case.
    let first: String = text.chars().take_while(char::is_ascii_alphabetic).collect();
    let mixed = first.chars().any(char::is_uppercase) && first.chars().any(char::is_lowercase);
    if role == Role::Prose && mixed {
        return false;
    }
    for statement in text_of_statements(text) {
        let tokens = tokens(&statement);
        if fits(&tokens, role == Role::Prose) {
            return true;
        }
        let opens = tokens.first().is_some_and(|first| OPENERS.contains(&first.as_str()));
        if !opens && !tokens.is_empty() {
            return false;
        }
    }
    false
}

/// The statement that a value carries behind its own end (`1=1; DELETE FROM users`), with what follows it.
pub(super) fn carried(text: &str) -> Option<&str> {
    const LOSES: &[&str] = &["ALTER", "DELETE", "DROP", "GRANT", "INSERT", "REVOKE", "TRUNCATE", "UPDATE"];
    text.match_indices(';').take(32).find_map(|(at, _)| {
        let tail = text.get(at + 1..)?.trim_start();
        let first = tokens(text_of_statements(tail).first()?);
        let loses = first.first().is_some_and(|verb| LOSES.contains(&verb.as_str()));
        (loses && fits(&first, true)).then_some(tail)
    })
}

/// The statements of a text without its comments, up to the first few.
fn text_of_statements(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = ["--", "/*", "#"].iter().filter_map(|sign| rest.find(sign)).min() {
        let (before, comment) = rest.split_at(at);
        // `/*! … */` is no comment to MySQL.
        let is_code = comment.starts_with("/*!");
        let end = match comment.as_bytes().first() {
            Some(b'/') => comment.find("*/").map(|end| end + 2),
            _ => comment.find('\n'),
        };
        plain.push_str(before);
        plain.push(' ');
        let end = if is_code { 3 } else { end.unwrap_or(comment.len()) };
        rest = comment.get(end..).unwrap_or_default();
    }
    plain.push_str(rest);
    plain.split(';').take(32).map(str::to_owned).collect()
}

/// Words in capitals, quoted names and texts as `'`, and signs.
fn tokens(statement: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut letters = statement.chars().peekable();
    while let Some(letter) = letters.next() {
        if tokens.len() >= TOKENS {
            break;
        }
        match letter {
            '\'' | '"' | '`' => {
                letters.by_ref().take_while(|inner| *inner != letter).for_each(drop);
                tokens.push("'".to_owned());
            }
            letter if letter.is_alphanumeric() || "_.$@:".contains(letter) => {
                let mut word: String = letter.to_uppercase().collect();
                while let Some(next) =
                    letters.peek().filter(|next| next.is_alphanumeric() || "_.$@:".contains(**next))
                {
                    word.extend(next.to_uppercase());
                    letters.next();
                }
                tokens.push(word);
            }
            letter if letter.is_whitespace() => {}
            sign => tokens.push(sign.to_string()),
        }
    }
    tokens
}

fn is_name(token: &str) -> bool {
    token == "'" || token.starts_with(|letter: char| letter.is_alphanumeric() || "_@$".contains(letter))
}

/// Whether a statement has the form of one.
fn fits(tokens: &[String], prose: bool) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", String::as_str);
    let has = |wanted: &str| tokens.iter().any(|token| token == wanted);
    match word(0) {
        "(" => fits(tokens.get(1..).unwrap_or_default(), prose),
        "DROP" => OBJECTS.contains(&word(1)) && names_only(tokens.get(2..).unwrap_or_default()),
        "TRUNCATE" => names_only(tokens.get(1..).unwrap_or_default()),
        "DELETE" => word(1) == "FROM" && is_name(word(2)) && follows(tokens.get(3..).unwrap_or_default()),
        "UPDATE" => {
            let set = tokens.iter().position(|token| token == "SET");
            set.is_some_and(|at| (2..=4).contains(&at) && tokens.iter().skip(at).any(|token| token == "="))
        }
        "INSERT" | "REPLACE" | "MERGE" => {
            matches!(word(1), "INTO" | "OVERWRITE" | "IGNORE") && is_name(word(2))
        }
        "ALTER" => named(tokens, CHANGES, false),
        "CREATE" => named(tokens, MAKES, !prose),
        "GRANT" => has("TO") && (has("ON") || !prose && tokens.len() <= MOST_OF_A_GRANT),
        "REVOKE" => has("FROM") && (has("ON") || !prose && tokens.len() <= MOST_OF_A_GRANT),
        "COPY" => (has("FROM") || has("TO")) && (has("PROGRAM") || has("STDIN") || has("STDOUT") || has("'")),
        "SELECT" => {
            let is_number = word(1).starts_with(|digit: char| digit.is_ascii_digit());
            has("FROM") || has("INTO") || has("(") || has("'") || is_number
        }
        "VALUES" => word(1) == "(",
        "WITH" => has("AS") && has("("),
        "EXPLAIN" => tokens.iter().skip(1).any(|token| {
            matches!(token.as_str(), "SELECT" | "DELETE" | "UPDATE" | "INSERT" | "WITH" | "MERGE")
        }),
        "EXEC" | "EXECUTE" => tokens.iter().any(|token| token.contains("XP_") || token.contains("SP_")),
        "ATTACH" | "LOAD" => has("'"),
        "DO" => word(1).starts_with('$') || word(1) == "'",
        _ => false,
    }
}

/// An object, its name and a word that follows it: `CREATE OR REPLACE VIEW v AS …`. `bare`: nothing has to follow.
fn named(tokens: &[String], followers: &[&str], bare: bool) -> bool {
    let Some(at) = tokens.iter().take(6).position(|token| OBJECTS.contains(&token.as_str())) else {
        return false;
    };
    let is_word =
        |token: &&String| matches!(token.as_str(), "IF" | "NOT" | "EXISTS" | "CONCURRENTLY" | "VIEW");
    let mut rest = tokens.iter().skip(at + 1).skip_while(is_word);
    match (rest.next().map(String::as_str), rest.next().map(String::as_str)) {
        // ALTER SYSTEM SET …, CREATE FUNCTION f(…
        (Some(first), _) if followers.contains(&first) => true,
        (Some(name), Some(next)) => is_name(name) && followers.contains(&next),
        (Some(name), None) => bare && is_name(name),
        (None, _) => false,
    }
}

/// Names, the words that stand beside them, and nothing else.
fn names_only(tokens: &[String]) -> bool {
    let mut after_name = false;
    let mut any = false;
    for token in tokens {
        match token.as_str() {
            "(" | ")" => return any,
            "," => after_name = false,
            // What an index or a trigger stands on.
            "ON" if any => after_name = false,
            word if BESIDE.contains(&word) => {}
            word if is_name(word) && !after_name => {
                after_name = true;
                any = true;
            }
            _ => return false,
        }
    }
    any
}

/// What may stand behind the table of a DELETE.
fn follows(tokens: &[String]) -> bool {
    let clause = |token: &String| {
        matches!(token.as_str(), "WHERE" | "USING" | "RETURNING" | "LIMIT" | "ORDER" | "OUTPUT" | "," | "IN")
    };
    match tokens {
        [] => true,
        [first, ..] if clause(first) => true,
        [first, second, ..] if first == "AS" => {
            tokens.len() == 2 || is_name(second) && tokens.get(2).is_some_and(clause)
        }
        // An alias, or the rest of a name with a schema in quotation marks.
        [_, second, ..] if clause(second) => true,
        [_, _, third, ..] => clause(third) && tokens.first().is_some_and(|first| first == "'"),
        [_, _] => false,
        [_] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_sql_and_sentences_are_not() {
        for text in [
            "DROP TABLE users",
            "drop database if exists shop cascade;",
            "Drop Table users",
            "TRUNCATE audit_log",
            "truncate table a, b restart identity cascade",
            "DELETE FROM orders",
            "delete from public.\"orders\" o where o.id = 1",
            "update accounts set balance = 0",
            "-- x\nDROP TABLE y",
            "/* x */ SELECT * FROM t",
            "BEGIN; DELETE FROM users; COMMIT",
            "SELECT 1 FROM t; DROP TABLE t",
            "GRANT ALL ON t TO everybody",
            "DROP INDEX idx ON t",
            "\\! rm x",
        ] {
            assert!(is_sql(text, Role::Plain), "{text}");
        }
        for text in [
            "Drop table support for IE",
            "Truncate long table names in the UI",
            "Delete from cart button is broken on mobile",
            "delete from cart bug",
            "Update users set on login",
            "select the best database for time series",
            "with great care",
            "create a new page",
            "create user accounts page",
            "alter user settings page layout",
            "Begin with the docs; then drop the rest",
            "set the table",
            "",
        ] {
            assert!(!is_sql(text, Role::Plain), "{text}");
        }
        for text in ["1=1; DELETE FROM users", "x'); DROP TABLE students;--", "a; b; truncate logs"] {
            assert!(carried(text).is_some(), "{text}");
        }
        for text in ["fix the login; delete from cart bug", "a;b;c", "Begin; then drop the rest", "; "] {
            assert_eq!(carried(text), None, "{text}");
        }
        for text in ["Delete from cart", "grant access to everybody", "create user page"] {
            assert!(!is_sql(text, Role::Prose), "{text}");
        }
    }
}
