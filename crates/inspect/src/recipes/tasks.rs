//! Files that hold several tasks: of one that a command names, what the other tasks do doesn't run.
//!
//! A task is left out only where neither the command nor anything that is kept says its name.

use std::ops::Range;

use doorward_core::intent::SimpleCommand;

/// A task: its name, and the lines that it has.
struct NamedTask {
    name: String,
    lines: Range<usize>,
}

/// How tasks are written in a file of a program.
struct TaskFile {
    program: &'static str,
    files: &'static [&'static str],
    /// Options in front of a task's name; none where the name stands alone.
    options: &'static [&'static str],
    /// The task that runs where none is named; empty where all do.
    usual: &'static str,
    tasks: fn(&[&str]) -> Vec<NamedTask>,
}

/// By each program's manual: nox 2025.2, tox 4.23, Rake 13.2, Invoke 2.2.
const FILES: &[TaskFile] = &[
    TaskFile {
        program: "nox",
        files: &["noxfile.py"],
        options: &["-s", "--session", "--sessions", "-e"],
        usual: "",
        tasks: decorated,
    },
    TaskFile {
        program: "tox",
        files: &["tox.ini"],
        options: &["-e", "--env"],
        usual: "",
        tasks: environments,
    },
    TaskFile {
        program: "rake",
        files: &["Rakefile", "rakefile", ".rake"],
        options: &[],
        usual: "default",
        tasks: blocks,
    },
    TaskFile { program: "invoke", files: &["tasks.py"], options: &[], usual: "", tasks: decorated },
    TaskFile { program: "inv", files: &["tasks.py"], options: &[], usual: "", tasks: decorated },
];

/// The text of a file without the tasks that a command doesn't run.
pub(crate) fn asked_for(command: &SimpleCommand, path: &str, text: String) -> String {
    let program = command.program.as_str();
    let leaf = path.rsplit('/').next().unwrap_or(path);
    let is_such =
        |file: &&TaskFile| file.program == program && file.files.iter().any(|end| leaf.ends_with(end));
    let Some(file) = FILES.iter().find(is_such) else { return text };
    let words: Vec<&str> = command.words.iter().skip(1).map(String::as_str).collect();
    let names = |word: &&str| file.options.is_empty() && !word.starts_with('-') && !word.contains('=');
    let by_option = |word: &&str| {
        let option = word.split('=').next().unwrap_or(word);
        file.options.iter().any(|own| option == *own || own.len() == 2 && word.starts_with(own))
    };
    let names_some = words.iter().any(|word| names(word) || by_option(word));
    if !names_some && file.usual.is_empty() {
        return text;
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut tasks = (file.tasks)(&lines);
    loop {
        let kept = without(&lines, &tasks);
        let runs = |task: &NamedTask| {
            !names_some && task.name == file.usual
                || words.iter().chain(&kept).any(|line| says(line, &task.name))
        };
        let Some(at) = tasks.iter().position(runs) else { return kept.join("\n") + "\n" };
        tasks.swap_remove(at);
    }
}

/// The lines that belong to none of these tasks.
fn without<'t>(lines: &[&'t str], tasks: &[NamedTask]) -> Vec<&'t str> {
    let of_task = |at: usize| tasks.iter().any(|task| task.lines.contains(&at));
    lines.iter().enumerate().filter(|(at, _)| !of_task(*at)).map(|(_, line)| *line).collect()
}

/// Whether a line has a name as a word of its own.
fn says(line: &str, name: &str) -> bool {
    let part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    line.match_indices(name).any(|(at, _)| {
        let (before, behind) =
            (line.get(..at).unwrap_or_default(), line.get(at + name.len()..).unwrap_or_default());
        !part(before.chars().next_back()) && !part(behind.chars().next())
    })
}

/// Functions of Python with a decorator of a session or task: `@nox.session(name="x")`, `@task`.
fn decorated(lines: &[&str]) -> Vec<NamedTask> {
    let mut tasks = Vec::new();
    let mut from = None;
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with('@') {
            let is_task = ["session", "task"].iter().any(|word| says(line, word));
            from = from.or(is_task.then_some(at));
        } else if let (Some(start), Some(function)) = (from, line.strip_prefix("def ")) {
            let body = lines
                .iter()
                .skip(at + 1)
                .take_while(|line| line.is_empty() || line.starts_with([' ', '\t', ')']));
            let end = at + 1 + body.count();
            let function = function.split('(').next().unwrap_or_default().trim();
            let head = lines.get(start..at).unwrap_or_default().join(" ");
            let given = head.split_once("name=").map(|(_, rest)| rest.trim_matches(['"', '\'']));
            let given = given.and_then(|rest| rest.split(['"', '\'']).next());
            tasks.push(NamedTask { name: given.unwrap_or(function).to_owned(), lines: start..end });
            from = None;
        } else if !line.starts_with([' ', '\t', ')']) && !line.is_empty() {
            from = None;
        }
    }
    tasks
}

/// Sections of tox, `[testenv:x]`; and what of its settings runs nothing. The list of environments runs where none is
/// named.
fn environments(lines: &[&str]) -> Vec<NamedTask> {
    const NOTHING: &[&str] = &[
        "allowlist_externals",
        "depends",
        "deps",
        "description",
        "extras",
        "pass_env",
        "passenv",
        "whitelist_externals",
    ];
    let header = |line: &&str| line.starts_with('[');
    let mut tasks = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let length = 1 + lines.iter().skip(at + 1).take_while(|line| !header(line)).count();
        if *line == "[tox]" {
            tasks.push(NamedTask { name: "[tox]".to_owned(), lines: at..at + length });
        } else if let Some(name) = line.strip_prefix("[testenv:").and_then(|rest| rest.split(']').next()) {
            tasks.push(NamedTask { name: name.to_owned(), lines: at..at + length });
        }
        at += length;
    }
    let in_task = |at: usize| tasks.iter().any(|task: &NamedTask| task.lines.contains(&at));
    let mut idle = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(at, _)| !in_task(*at)) {
        let key = line.split('=').next().unwrap_or_default().trim();
        let value = lines.iter().skip(at + 1).take_while(|line| line.starts_with([' ', '\t'])).count();
        let text = lines.get(at..at + 1 + value).unwrap_or_default().join("\n");
        // What an address names is code from elsewhere.
        if NOTHING.contains(&key) && !text.contains("://") {
            idle.push(NamedTask { name: format!("{key}="), lines: at..at + 1 + value });
        }
    }
    tasks.extend(idle);
    tasks
}

/// Blocks of Ruby: `task :x do … end`, `task(x: :y) { … }`.
fn blocks(lines: &[&str]) -> Vec<NamedTask> {
    let mut tasks: Vec<NamedTask> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if tasks.last().is_some_and(|task| task.lines.contains(&at)) {
            continue;
        }
        let bare = line.trim_start();
        let indent = line.len() - bare.len();
        let is_task = bare.strip_prefix("multi").unwrap_or(bare).strip_prefix("task");
        let Some(rest) = is_task.filter(|rest| rest.starts_with([' ', '('])) else { continue };
        let name = rest.trim_start_matches([' ', '(', ':', '"', '\'']);
        let name =
            name.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default();
        let closes = |line: &&&str| {
            let own = line.trim_start();
            line.len() - own.len() == indent && matches!(own.split([' ', ';']).next(), Some("end" | "}"))
        };
        let opens = bare.ends_with(" do")
            || bare.ends_with('{')
            || bare.ends_with('|') && (bare.contains(" do ") || bare.contains('{'));
        let length = match lines.iter().skip(at + 1).position(|line| closes(&line)) {
            Some(behind) if opens => behind + 2,
            None if opens => continue,
            _ => 1,
        };
        if !name.is_empty() {
            tasks.push(NamedTask { name: name.to_owned(), lines: at..at + length });
        }
    }
    tasks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(command: &str, path: &str, text: &str) -> String {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let program = words[0].clone();
        asked_for(&SimpleCommand { words, program, ..SimpleCommand::default() }, path, text.to_owned())
    }

    #[test]
    fn only_what_a_command_names_is_left() {
        let rake = "require 'x'\ntask :drop do\n  sh 'a'\nend\ntask test: [:build] do\n  sh 'b'\nend\n\
                    task(:build) { sh 'c' }\nnamespace :db do\n  task :wipe do\n    sh 'd'\n  end\nend\n\
                    task default: :test\n";
        let nox = "import nox\n@nox.session\ndef lint(session):\n    a()\n\n@nox.session(\n    name=\"tests\",\n)\n\
                   def t(session):\n    b()\n";
        let tox = "[tox]\nenvlist = clean\n[testenv]\ndeps =\n  x[y,z]\ncommands = a\n[testenv:clean]\n\
                   commands = b\n[testenv:b2]\ncommands = c\n";
        for (command, path, text, holds, lacks) in [
            ("rake test", "/w/Rakefile", rake, "'b' 'c'", "'a' 'd'"),
            ("rake", "/w/Rakefile", rake, "'b' 'c'", "'a' 'd'"),
            ("rake db:wipe", "/w/Rakefile", rake, "'d'", "'a' 'b'"),
            ("nox", "/w/noxfile.py", nox, "a() b()", "-"),
            ("nox -s lint", "/w/noxfile.py", nox, "a()", "b()"),
            ("nox -s tests", "/w/noxfile.py", nox, "b()", "a()"),
            ("tox", "/w/tox.ini", tox, "= a|= b|= c", "-"),
            ("tox -e b2", "/w/tox.ini", tox, "= a|= c", "= b|x[y,z]"),
            ("tox -e py", "/w/tox.ini", tox, "= a", "= b|= c|x[y,z]"),
            ("make x", "/w/Rakefile", rake, "'a' 'd'", "-"),
        ] {
            let left = left(command, path, text);
            let split = if holds.contains('|') || lacks.contains('|') { '|' } else { ' ' };
            for part in holds.split(split) {
                assert!(left.contains(part), "{command}: {part}\n{left}");
            }
            for part in lacks.split(split).filter(|part| *part != "-") {
                assert!(!left.contains(part), "{command}: {part}\n{left}");
            }
        }
    }
}
