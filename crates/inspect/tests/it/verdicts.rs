//! The verdict of every command in the tree, as one sorted page (`verdicts.txt`): the safety net for changes of
//! the analysis. A change shows which verdicts it moved; each moved row has its reason in the commit.
//!
//! `cargo xtask verdicts` draws the page anew. A row is `ID RISK | codes | effects | sentences`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use doorward_core::effect::{Effects, Inspected};
use doorward_core::session::SessionView;
use doorward_inspect::{EmptyWorld, GivenFiles, Inspector, example_call};
use serde_json::Value;

/// A command with the shell that runs it, unless that is bash, and the files that it brings along.
struct Sample {
    id: String,
    shell: Option<String>,
    command: String,
    files: BTreeMap<String, String>,
}

/// Lists of commands in JSON Lines, of commands in plain lines, and of code that an interpreter runs.
const LISTS: &[&str] = &[
    "crates/cli/testdata/breakouts.jsonl",
    "crates/cli/testdata/breakouts_2.jsonl",
    "crates/cli/testdata/breakouts_3.jsonl",
    "crates/cli/testdata/breakouts_4.jsonl",
    "crates/cli/testdata/breakouts_5.jsonl",
    "crates/cli/testdata/code_harmful.jsonl",
    "crates/cli/testdata/code_harmful_2.jsonl",
    "crates/cli/testdata/code_harmless.jsonl",
    "crates/cli/testdata/code_harmless_2.jsonl",
    "crates/cli/testdata/program_reads.jsonl",
    "crates/cli/testdata/program_reads_2.jsonl",
    "crates/cli/testdata/program_reads_4.jsonl",
    "crates/cli/testdata/program_reads_5.jsonl",
    "crates/doorward/testdata/rule_cover.jsonl",
    "crates/inspect/testdata/blind/disguises.jsonl",
    "crates/inspect/testdata/blind/fourth_disguises.jsonl",
    "crates/inspect/testdata/blind/fourth_ordinary.jsonl",
    "crates/inspect/testdata/blind/ordinary.jsonl",
    "crates/inspect/testdata/classes/carried.txt",
    "crates/inspect/testdata/classes/false_alarms.txt",
    "crates/inspect/testdata/classes/persist_and_sense.txt",
    "crates/inspect/testdata/classes/reads_that_run.txt",
    "crates/inspect/testdata/classes/second_round.txt",
    "crates/inspect/testdata/classes/secrets_read.txt",
    "crates/inspect/testdata/passed.txt",
    "crates/inspect/testdata/stopped.txt",
    "crates/inspect/testdata/windows/cmd.txt",
    "crates/inspect/testdata/windows/powershell.txt",
    "crates/inspect/testdata/windows/rewrites.txt",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Interpreters of the languages that the lists of code name, with the ending of their files.
fn interpreter(language: &str) -> Option<(&'static str, &'static str)> {
    Some(match language {
        "python" => ("python3", "py"),
        "javascript" | "node" => ("node", "js"),
        "typescript" => ("bun", "ts"),
        "ruby" => ("ruby", "rb"),
        "perl" => ("perl", "pl"),
        "php" => ("php", "php"),
        "lua" => ("lua", "lua"),
        "go" => ("go run", "go"),
        "bash" | "shell" | "sh" => ("bash", "sh"),
        _ => return None,
    })
}

fn of_json(id: String, row: &Value) -> Option<Sample> {
    let text = |member: &str| row[member].as_str().map(str::to_owned);
    let files = row["files"].as_object().into_iter().flatten();
    let mut files: BTreeMap<String, String> =
        files.filter_map(|(path, text)| Some((path.clone(), text.as_str()?.to_owned()))).collect();
    let command = match (text("command"), text("language"), text("code")) {
        (Some(command), ..) => command,
        (None, Some(language), Some(code)) => {
            let (program, ending) = interpreter(&language)?;
            files.insert(format!("/workspace/task.{ending}"), code);
            format!("{program} task.{ending}")
        }
        _ => return None,
    };
    Some(Sample { id, shell: None, command, files })
}

fn of_list(list: &str) -> Vec<Sample> {
    let text = text_of(&root().join(list));
    let short = Path::new(list).file_name().unwrap().to_str().unwrap();
    let marked = list.contains("/classes/") || list.contains("/windows/");
    let rows = text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    rows.filter_map(|(nth, line)| {
        if let Ok(row) = serde_json::from_str::<Value>(line) {
            let id = row["id"].as_str().map_or_else(|| nth.to_string(), str::to_owned);
            return of_json(format!("{short} {id}"), &row);
        }
        // The first word of some lists says what is expected, or names the shell.
        let (first, behind) = line.split_once(' ').unwrap_or_default();
        let shell = match short {
            "powershell.txt" | "cmd.txt" => short.strip_suffix(".txt"),
            "rewrites.txt" => Some(first),
            _ => None,
        };
        let shell = shell.map(str::to_owned);
        let command = if marked { behind } else { line }.replace('⏎', "\n");
        Some(Sample { id: format!("{short} {command}"), shell, command, files: BTreeMap::new() })
    })
    .collect()
}

/// The examples in the descriptions of programs: the first text of each line of an `examples` block.
fn of_descriptions() -> Vec<Sample> {
    let folder = root().join("knowledge/programs");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut samples = Vec::new();
    for file in files {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        let mut inside = false;
        for line in text_of(&file).lines().map(str::trim) {
            inside = line == "examples {" || inside && line != "}";
            if let Some(command) = Some(line).filter(|_| inside).and_then(quoted) {
                let id = format!("{name} {command}");
                samples.push(Sample { id, shell: None, command, files: BTreeMap::new() });
            }
        }
    }
    samples
}

/// The text between the quotes at the start of a line.
fn quoted(line: &str) -> Option<String> {
    let mut letters = line.strip_prefix('"')?.chars();
    let mut text = String::new();
    loop {
        match letters.next()? {
            '"' => return Some(text),
            '\\' => match letters.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                other => text.push(other),
            },
            letter => text.push(letter),
        }
    }
}

/// The effects in short: `r` reads (`!` a secret), `w` writes, `d` deletes (`*` with all below), `x` programs, `h` hosts,
/// `u` what isn't known, and the rest by its name.
fn brief(effects: &Effects) -> String {
    let mark = |is: bool, mark: &str| if is { mark.to_owned() } else { String::new() };
    let mut parts: BTreeSet<String> = BTreeSet::new();
    parts.extend(effects.reads.iter().map(|one| format!("r:{}{}", one.path, mark(one.secret, "!"))));
    parts.extend(effects.writes.iter().map(|one| format!("w:{}", one.path)));
    parts.extend(effects.deletes.iter().map(|one| format!("d:{}{}", one.path, mark(one.recursive, "*"))));
    parts.extend(effects.executes.iter().map(|one| format!("x:{}", one.program)));
    parts.extend(effects.hosts.iter().map(|one| format!("h:{}", one.host)));
    parts.extend(effects.env_reads.iter().map(|one| format!("env:{one}")));
    parts.extend(effects.history_loss.iter().map(|one| format!("loss:{}", one.what)));
    parts.extend(effects.installs.iter().map(|one| format!("install:{}", one.manager)));
    parts.extend(effects.privilege.iter().map(|one| format!("privilege:{:?}", one.kind)));
    parts.extend(effects.unknown.iter().map(|one| format!("u:{}", one.code)));
    parts.extend(mark(effects.network, "network").split_whitespace().map(str::to_owned));
    parts.extend(mark(effects.read_only, "only-reads").split_whitespace().map(str::to_owned));
    parts.into_iter().collect::<Vec<_>>().join(" ")
}

fn line_of(sample: &Sample, inspected: &Inspected) -> String {
    let codes: BTreeSet<&str> = inspected.findings.iter().map(|finding| finding.code.as_ref()).collect();
    let sentences: BTreeSet<&str> =
        inspected.findings.iter().map(|finding| finding.message.as_ref()).collect();
    let all = |texts: BTreeSet<&str>, between: &str| texts.into_iter().collect::<Vec<_>>().join(between);
    format!(
        "{} {} | {} | {} | {}",
        sample.id,
        inspected.risk,
        all(codes, " "),
        brief(&inspected.effects),
        all(sentences, " / ")
    )
    .replace('\n', "⏎")
}

fn judged(samples: &[Sample]) -> Vec<String> {
    let lines = samples.iter().filter_map(|sample| {
        let world = GivenFiles::over(Arc::new(EmptyWorld::at_home("/home/user")), sample.files.clone());
        let mut call = example_call("shell:execute", "command", &sample.command).ok()?;
        if let Some(shell) = &sample.shell {
            call.args.insert("shell".to_owned(), doorward_core::json::Value::from(shell.as_str()));
        }
        let inspected =
            Inspector::new(Arc::new(world)).inspect(&call, &SessionView::default(), &Default::default());
        Some(line_of(sample, &inspected))
    });
    lines.collect()
}

/// How many rows are judged in an ordinary run: one of so many. `cargo xtask verdicts` judges all.
const SAMPLED: usize = 10;

#[test]
fn verdicts_are_those_of_the_page() {
    let mut samples: Vec<Sample> = LISTS.iter().flat_map(|list| of_list(list)).collect();
    samples.extend(of_descriptions());
    samples.sort_by(|one, other| one.id.cmp(&other.id));
    samples.dedup_by(|one, other| one.id == other.id);
    assert!(samples.len() > 9_000, "{} rows", samples.len());
    let page = root().join("crates/inspect/verdicts.txt");
    let draws = std::env::var_os("UPDATE_VERDICTS").is_some();
    if !draws {
        samples = samples.into_iter().step_by(SAMPLED).collect();
    }
    let now = judged(&samples);
    let before = if page.exists() { text_of(&page) } else { String::new() };
    if draws {
        std::fs::write(&page, now.join("\n") + "\n").unwrap();
    }
    let known: BTreeSet<&str> = before.lines().collect();
    let moved: Vec<&String> = now.iter().filter(|line| !known.contains(line.as_str())).collect();
    for line in &moved {
        let id = line.split(" | ").next().unwrap_or_default().rsplit_once(' ').unwrap_or_default().0;
        let was = before.lines().find(|old| {
            old.strip_prefix(id).is_some_and(|rest| {
                rest.starts_with(' ')
                    && rest.split(" | ").next().unwrap_or_default().trim().find(' ').is_none()
            })
        });
        println!("- {}\n+ {line}", was.unwrap_or("(not on the page)"));
    }
    println!("{} of {} verdicts moved", moved.len(), now.len());
    assert!(
        draws || moved.is_empty(),
        "draw the page anew with `cargo xtask verdicts`, and say why each moved"
    );
}
