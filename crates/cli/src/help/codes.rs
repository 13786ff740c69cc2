//! `doorward help codes`: one sentence for every code that an answer, an error or a record can hold.
//!
//! Findings come from docs/findings.md, all other codes from docs/codes.md. A test reads the source of every crate and
//! holds that each code in it is in one of the two.

use std::fmt::Write as _;

use crate::output::Failure;

/// What codes that are no findings are about, by how they begin: the overview that stands before the table.
const FAMILIES: &[(&str, &str)] = &[
    ("mode.", "The permission mode decided, because no rule did."),
    ("confirm.", "The confirmation policy decided, because no rule did."),
    ("rule.", "A rule of yours, an administrator's or a project's decided."),
    (
        "policy.",
        "A Cedar policy, a shipped pack or the policy engine elsewhere decided, or couldn't be loaded.",
    ),
    ("guardian.", "The guardian's model asked about the call, refused it, or couldn't be asked."),
    ("grant.", "An approval didn't fit: another call, another person, used before, or too late."),
    ("approve.", "An answer lacks something that it takes, such as the typed phrase."),
    ("hook.", "The hook couldn't get an answer, so the call was refused."),
    ("service.", "The service doesn't run, or can't do what was asked."),
    ("ledger.", "The record can't be written or isn't what it was. Without a record nothing runs."),
    ("store.", "The database can't be reached."),
    ("settings.", "The settings can't be used as they are. `doorward config check` shows where."),
    ("obligation.", "A rule demands something that whoever runs the call can't do."),
    (
        "kill_switch",
        "A person stopped this (see `doorward approvals stops`), or the database can't say whether one did.",
    ),
    ("client.", "A client's own rule or settings file made Doorward refuse the call."),
    ("request.", "The request can't be read or has a wrong member; nothing was judged."),
    ("egress.", "The egress proxy refused a connection, or couldn't record it."),
    ("gate.", "A gate inside a Python process can't be used here, such as in a forked process."),
    ("args.", "The arguments don't fit the tool's schema."),
    ("session.", "An earlier call of the session is still being looked at."),
    ("posture.", "The settings demand more distance between the agent and Doorward than was measured."),
    ("ticket.", "A shell call that Doorward runs itself came back changed, late or twice."),
    ("approval.", "A question about a call waits, was answered with no, lapsed, or couldn't be put."),
    (
        "mcp.",
        "The MCP gateway met a message that is none, or can't reach the server, the service or the record.",
    ),
    (
        "pin.",
        "A tool of an MCP server is new or not what was approved. `doorward mcp pins` shows the difference.",
    ),
    ("name.", "A tool's name is another server's, nearly so, or written with letters that look alike."),
    ("text.", "A text of a tool or a result tries to steer the model, or hides something."),
    ("anno.", "What a tool says of itself disagrees with its name, text or schema."),
    ("schema.", "A tool's schema is none, refers outside itself, or is too large or too slow to check."),
    (
        "path.",
        "A path lies outside the project, in a protected place, or is written so that it can't be placed.",
    ),
    ("flow.", "Data flows over several calls of the session to where it shouldn't."),
    ("doctor.", "An answer to the call that `doorward doctor` sends."),
];

/// Rows of the catalogue of findings: code, level, what the call does, example.
fn findings() -> impl Iterator<Item = [&'static str; 4]> {
    let table = include_str!("../../../../docs/findings.md");
    table.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.strip_suffix(" |")?.splitn(4, " | ");
        let code = cells.next()?.trim_end_matches('`');
        Some([code, cells.next()?, cells.next()?, cells.next()?])
    })
}

/// Rows of the table of all other codes: code, what it says.
fn others() -> impl Iterator<Item = (&'static str, &'static str)> {
    let table = include_str!("../../../../docs/codes.md");
    table.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | "))
}

/// All codes, or those that begin like `name`; a `*` at its end is no part of it.
pub(super) fn text(name: Option<&str>) -> Result<String, Failure> {
    let name = name.map(|name| name.trim_end_matches('*'));
    let wanted = |code: &str| name.is_none_or(|name| code.starts_with(name));
    let mut text = String::new();
    // Writing to a String can't fail.
    for [code, level, does, example] in findings().filter(|[code, ..]| wanted(code)) {
        let _ = match name {
            Some(_) => writeln!(
                text,
                "\u{1b}[1m{code}\u{1b}[0m  {level}\n  {does}\n  for example: {}",
                example.trim_matches('`')
            ),
            None => writeln!(text, "{code:<32} {level:<9} {does}"),
        };
    }
    if name.is_none() {
        text.push_str("\nCodes that are no findings, by how they begin:\n");
        for (begins, means) in FAMILIES {
            let _ = writeln!(text, "{begins:<14} {means}");
        }
        text.push_str("\nAnd one by one:\n");
    }
    for (code, says) in others().filter(|(code, _)| wanted(code)) {
        let _ = match name {
            Some(_) => writeln!(text, "\u{1b}[1m{code}\u{1b}[0m\n  {says}"),
            None => writeln!(text, "{code:<32} {says}"),
        };
    }
    if text.is_empty() {
        let known = findings().map(|[code, ..]| code).chain(others().map(|(code, _)| code));
        let near = doorward::rooms::settings::nearest(name.unwrap_or_default(), known);
        let hint = near.map_or_else(
            || "`doorward help codes` lists them".to_owned(),
            |near| format!("did you mean {near}?"),
        );
        return Err(Failure::new("help.unknown_code", format!("there is no code like this; {hint}")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::path::Path;

    use super::*;

    /// Literals that look like codes and are none: names of files, keys and fixed texts.
    const NO_CODES: &[&str] = &[
        "egress.sock",
        "exec.sock",
        "flows.key",
        "flows.toml",
        "hook.sock",
        "json.tool",
        "lab.invalid",
        "net.webclient",
        "secrets.env",
        "secrets.json",
        "secrets.toml",
        "secrets.yaml",
        "task.md",
        "text.encoding",
        "secrets.yml",
        "service.log",
        "service.pid",
        "settings.gradle",
        "settings.json",
        "setup.cfg",
        "setup.py",
        "shell.bash",
        "state.json",
        "state.vscdb",
        "text.format",
        "token.json",
        "token.pickle",
    ];
    /// Folders and files whose words of this form are names in a table of their own: the factors of the built-in
    /// score, the probes of the sandbox, and crates that only tests use.
    const TABLES: &[&str] =
        &["guardian/src/builtin.rs", "sandbox/src/probe", "testing/src", "fuzzing/src", "needs/src"];
    /// What a code stands behind in the source, whatever it begins with.
    const BEFORE: &[&str] =
        &["Failure::new(", "Refused::new(", "Refusal::new(", "Problem::new(", "Finding::new(", "#[error("];
    /// Codes that are put together while running: `approval.` and a word of the binding.
    const COMPOSED: &str = "approval.";

    /// The source of every crate without its tests and comments, by file.
    fn sources() -> BTreeMap<String, String> {
        fn collect(folder: &Path, found: &mut BTreeMap<String, String>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.to_string_lossy().into_owned();
                if TABLES.iter().any(|table| name.contains(table)) || name.ends_with("/tests") {
                    continue;
                }
                if path.is_dir() {
                    collect(&path, found);
                } else if name.ends_with(".rs") && !name.ends_with("/tests.rs") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
                    found.insert(name, lines.collect::<Vec<_>>().join("\n"));
                }
            }
        }
        let mut found = BTreeMap::new();
        for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap() {
            let source = entry.unwrap().path().join("src");
            if source.is_dir() {
                collect(&source, &mut found);
            }
        }
        assert!(found.len() > 200, "the sources are elsewhere");
        found
    }

    /// Literals of the form `room.word`, whole or before a colon, and codes in brackets at the end of a sentence, with
    /// what stands before them.
    fn literals(source: &str) -> impl Iterator<Item = (&str, &str)> {
        let ended = source.match_indices(")\"").filter_map(|(end, _)| {
            let at = source[..end].rfind('(')?;
            let word = &source[at + 1..end];
            let is_code = |c: char| c.is_ascii_lowercase() || c == '.' || c == '_';
            let of_room = word.split_once('.').is_some_and(|(room, own)| !room.is_empty() && !own.is_empty());
            (of_room && word.chars().all(is_code)).then_some(("", word))
        });
        let whole = source.match_indices('"').filter_map(|(at, _)| {
            let rest = &source[at + 1..];
            let end =
                rest.find(|c: char| !(c.is_ascii_lowercase() || c.is_ascii_digit() || "._".contains(c)))?;
            let (word, next) = rest.split_at(end);
            let (room, own) = word.split_once('.')?;
            let is_code =
                !room.is_empty() && !own.is_empty() && !own.contains('.') && next.starts_with(['"', ':']);
            is_code.then_some((source[..at].trim_end(), word))
        });
        whole.chain(ended)
    }

    fn is_known(code: &str) -> bool {
        let listed = others().any(|(own, _)| own == code) || findings().any(|[own, ..]| own == code);
        listed
            || doorward::rooms::core::finding::catalogue_row(code).is_some_and(|row| {
                // A family's one sentence is true for codes that differ by a name alone, such as a kind of secret.
                row.code == code || row.code == "secret.*"
            })
    }

    #[test]
    fn every_code_in_the_source_has_its_sentence() {
        let rooms: BTreeSet<&str> = others()
            .map(|(code, _)| code)
            .chain(findings().map(|[code, ..]| code))
            .filter_map(|code| code.split_once('.').map(|(room, _)| room))
            .collect();
        let mut unknown = BTreeMap::new();
        let mut seen = 0;
        for (file, source) in &sources() {
            for (before, word) in literals(source) {
                let room = word.split('.').next().unwrap_or_default();
                let is_code = rooms.contains(room) || BEFORE.iter().any(|start| before.ends_with(start));
                // The generated tables name the files that they are made of.
                let is_file = before.trim_end_matches(['"', ' ']).ends_with("#[path =");
                if !is_code || is_file || NO_CODES.contains(&word) {
                    continue;
                }
                seen += 1;
                if !is_known(word) {
                    unknown.insert(word.to_owned(), file.clone());
                }
            }
        }
        assert!(seen > 900, "only {seen} codes were found, so this looks at the wrong places");
        assert!(unknown.is_empty(), "without a row in docs/codes.md: {unknown:#?}");
    }

    /// Reasons of the network's own table, which stand behind `net.` as findings.
    fn is_of_network(code: &str) -> bool {
        let reasons = doorward_net::Code::ALL.iter().map(|reason| reason.as_str());
        code.strip_prefix("net.").is_some_and(|own| reasons.into_iter().any(|reason| reason == own))
    }

    #[test]
    fn every_reason_of_the_network_has_its_sentence() {
        for reason in doorward_net::Code::ALL {
            assert!(is_known(&format!("net.{}", reason.as_str())), "{reason}");
        }
    }

    #[test]
    fn every_row_is_of_a_code_that_the_source_holds() {
        let all = sources().into_values().collect::<String>();
        let gone: Vec<&str> = others()
            .map(|(code, _)| code)
            .filter(|code| !code.starts_with(COMPOSED) && !is_of_network(code))
            .filter(|code| !all.contains(&format!("\"{code}")) && !all.contains(&format!("({code})")))
            .collect();
        assert!(gone.is_empty(), "rows of docs/codes.md without a code: {gone:?}");
    }

    #[test]
    fn sentences_are_sentences_and_a_code_has_one() {
        let mut seen = BTreeSet::new();
        for (code, says) in others() {
            assert!(seen.insert(code), "{code} twice");
            assert!(says.ends_with('.') && says.len() <= 120, "{code}: {says}");
            assert!(says.starts_with(|c: char| c.is_ascii_uppercase() || c == '`'), "{code}: {says}");
        }
    }

    #[test]
    fn each_code_of_a_family_is_told_apart() {
        let mcp = text(Some("mcp.*")).unwrap();
        assert!(mcp.contains("mcp.redirect") && mcp.contains("which is not followed"), "{mcp}");
        assert!(mcp.contains("mcp.utf8") && mcp.lines().count() > 60, "{mcp}");
        assert!(text(Some("approval_pending")).unwrap().contains("waits for a person"));
        assert!(findings().count() > 40, "the catalogue has another form");
        assert!(text(None).unwrap().contains("shell.delete_everything"));
        assert!(text(Some("shell.delete_everything")).unwrap().contains("rm -rf ~"));
        assert!(text(Some("mode.confirm")).unwrap().contains("permission mode"));
        assert!(text(Some("shel.delete")).unwrap_err().message.contains("did you mean"));
    }
}
