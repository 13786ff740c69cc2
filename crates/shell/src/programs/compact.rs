//! Deeds in one line of text, for the examples of the specs and for table tests.

use doorward_core::Span;
use doorward_core::intent::{Direction, WriteMode};

use crate::deed::{Argv, Deeds, Run, Word};

use super::{Context, Tools, describe};

/// Words of a test line: split at spaces, `'…'` kept together.
pub(crate) fn words(line: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut current: Option<String> = None;
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => {
                quoted = !quoted;
                current.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(current.take()),
            letter => current.get_or_insert_default().push(letter),
        }
    }
    words.extend(current);
    words.into_iter().map(|text| Word::literal(text, Span::default())).collect()
}

/// What a command line does, in the form in which the examples of a spec say it.
#[must_use]
pub fn example(line: &str, tools: &Tools) -> String {
    compact(&deeds_with(line, tools))
}

/// What a line does.
#[cfg(test)]
pub(crate) fn deeds(line: &str) -> Deeds {
    deeds_with(line, &Tools::default())
}

fn deeds_with(line: &str, tools: &Tools) -> Deeds {
    let mut words = words(line);
    let mut assignments = Vec::new();
    while let Some((name, value)) = words.first().and_then(|word| word.text.split_once('=')) {
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            break;
        }
        assignments.push((name.to_owned(), Word::literal(value, Span::default())));
        words.remove(0);
    }
    let context = Context { tools: tools.clone(), ..Context::default() };
    describe(&Argv { words, assignments, ..Argv::default() }, &context)
}

fn join(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Deeds in one line.
pub(crate) fn compact(deeds: &Deeds) -> String {
    let mut said: Vec<String> = Vec::new();
    for read in &deeds.reads {
        said.push(format!("{} {}", if read.metadata { "look" } else { "read" }, read.path.text));
    }
    for write in &deeds.writes {
        if let Some(from) = &write.moved_from {
            said.push(format!("move {} {}", from.text, write.path.text));
            continue;
        }
        let mode = match write.mode {
            WriteMode::Create if write.downloaded => "download",
            WriteMode::Create => "create",
            WriteMode::Truncate => "truncate",
            WriteMode::Append => "append",
            WriteMode::InPlace => "inplace",
            WriteMode::Metadata => "meta",
        };
        said.push(format!("{mode} {}", write.path.text));
    }
    for delete in &deeds.deletes {
        let flags = match (delete.recursive, delete.force) {
            (true, true) => "-rf",
            (true, false) => "-r",
            (false, true) => "-f",
            (false, false) => "",
        };
        said.push(format!("delete{flags} {}", delete.path.text));
    }
    for host in &deeds.hosts {
        let direction = match host.direction {
            Direction::Fetch => "fetch",
            Direction::Send => "send",
            Direction::Both => "both",
            Direction::Listen => "listen",
        };
        let port = host.port.map(|port| format!(":{port}")).unwrap_or_default();
        let body = host.body_from.iter().map(|from| format!(" <{from}")).collect::<String>();
        said.push(format!("{direction} {}{port}{body}", host.host));
    }
    for env in &deeds.env_reads {
        said.push(format!("env {}", env.name));
    }
    for privilege in &deeds.privilege {
        said.push(format!("privilege {}", format!("{:?}", privilege.kind).to_lowercase()));
    }
    for loss in &deeds.history_loss {
        said.push(format!("loses {}", format!("{:?}", loss.recoverable_by).to_lowercase()));
    }
    for install in &deeds.installs {
        let source = format!("{:?}", install.source).to_lowercase();
        said.push(format!("install {source} {}", install.packages.join(",")).trim_end().to_owned());
    }
    for module in &deeds.modules {
        said.push(format!("module {}", module.name));
    }
    for finding in &deeds.findings {
        said.push(finding.code.trim_start_matches("shell.").to_owned());
    }
    for run in &deeds.runs {
        said.push(match run {
            Run::Argv { words, more_operands, .. } => {
                format!("argv {}{}", join(words), if *more_operands { " +" } else { "" })
            }
            Run::Shell { text, .. } => format!("sh {}", text.text),
            Run::Language { language, text, .. } => format!("{language} {}", text.text),
            Run::File { path, .. } => format!("file {}", path.text),
            Run::Judged { words, deeds, .. } => format!("argv {} [{}]", join(words), compact(deeds)),
            Run::Stdin { code, .. } => format!("stdin {code:?}").to_lowercase(),
        });
    }
    if deeds.transparent {
        said.push("transparent".to_owned());
    }
    if deeds.read_only {
        said.push("read-only".to_owned());
    } else if deeds.plain && !deeds.transparent {
        said.push("plain".to_owned());
    }
    if !deeds.known {
        said.push("unknown".to_owned());
    }
    said.join("; ")
}

/// Asserts what each line does.
#[cfg(test)]
pub(crate) fn check(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(line, expected)| {
            let found = compact(&deeds(line));
            (found != *expected).then(|| format!("{line}\n  expected {expected}\n  found    {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
