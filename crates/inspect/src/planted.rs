//! Files that a command line writes and then uses, whose known content holds a dangerous command.
//!
//! Programs load code from more places than any table lists: settings of a test runner, a hook in a configuration, a
//! module on a search path. So a file that is written here is read for command lines: as code of its language, in its
//! string literals, and behind the `=` or `:` of its lines. If one of them would be HIGH by itself, and a later part
//! of the same line names the file or builds the project, the whole line is.

use doorward_core::finding::Finding;
use doorward_core::intent::{Intent, SimpleCommand, WriteIntent};
use doorward_core::risk::SecurityRisk;
use doorward_shell::{CommandFlow, Options};

/// Candidates that are judged in one file.
const MOST: usize = 64;
/// Kinds of files that are text for people.
const PROSE: &[&str] = &["adoc", "csv", "html", "json5", "log", "markdown", "md", "org", "rst", "tex", "txt"];
/// Programs that only move, show or record what they are given.
const KEEPERS: &[&str] = &[
    "[",
    "basename",
    "cat",
    "cd",
    "chmod",
    "chown",
    "cp",
    "diff",
    "dirname",
    "echo",
    "file",
    "git",
    "grep",
    "head",
    "ls",
    "mkdir",
    "mv",
    "printf",
    "pwd",
    "rm",
    "rmdir",
    "sed",
    "sha256sum",
    "sort",
    "stat",
    "tail",
    "test",
    "touch",
    "tree",
    "wc",
];
/// Programs that load files of the project by themselves.
const BUILDERS: &[&str] = &[
    "bundle", "cargo", "cmake", "dotnet", "gradle", "make", "meson", "mvn", "ninja", "npm", "pip", "pip3",
    "pnpm", "poetry", "pytest", "rake", "sbt", "tox", "uv", "yarn", "zig",
];

/// Files that this text writes with dangerous content and uses later.
pub(crate) fn findings(
    text: &str,
    intent: &Intent,
    options: &Options<'_>,
    risk: &dyn Fn(Intent) -> SecurityRisk,
) -> Vec<Finding> {
    let known = |write: &&WriteIntent| write.content.as_deref().is_some_and(|content| !content.is_empty());
    let mut flows = None;
    let mut found = Vec::new();
    for write in intent.writes.iter().filter(known) {
        let flows: &Vec<CommandFlow> = flows.get_or_insert_with(|| doorward_shell::flows(text));
        let content = write.content.as_deref().unwrap_or_default();
        if is_used(text, write, intent, flows) && is_dangerous(content, &write.path.text, options, risk) {
            let message =
                format!("`{}` is written with a dangerous command in it, and then used", write.path.text);
            found.push(
                Finding::new("shell.generated_code", message)
                    .at(write.path.span)
                    .with_risk(SecurityRisk::High),
            );
        }
    }
    found
}

fn leaf(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn extension(path: &str) -> &str {
    leaf(path).rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Whether a later flow runs something that could load the file.
fn is_used(text: &str, write: &WriteIntent, intent: &Intent, flows: &[CommandFlow]) -> bool {
    let path = write.path.text.trim_start_matches("./");
    if PROSE.contains(&extension(path)) {
        return false;
    }
    let stem = leaf(path).split('.').find(|part| !part.is_empty()).unwrap_or(path);
    let top = path.split('/').next().unwrap_or(path);
    let names = [leaf(path), stem, top];
    flows.iter().filter(|flow| flow.span.start > write.path.span.start).any(|flow| {
        let own = |command: &&SimpleCommand| {
            flow.span.start <= command.span.start && command.span.start < flow.span.end
        };
        let mut commands = intent.commands.iter().filter(own);
        let written = flow.span.of(text).unwrap_or_default();
        let named = names.iter().any(|name| mentions(written, name));
        let set = !flow.assignments.is_empty();
        commands.any(|command| {
            let program = command.program.as_str();
            BUILDERS.contains(&program) || named && (set || !KEEPERS.contains(&program))
        })
    })
}

/// Whether `name` stands in the text with nothing of a name around it.
fn mentions(text: &str, name: &str) -> bool {
    let part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            let after = text.get(at + name.len()..).and_then(|after| after.chars().next());
            !before.is_some_and(part) && !after.is_some_and(part)
        })
}

fn is_dangerous(
    content: &str,
    path: &str,
    options: &Options<'_>,
    risk: &dyn Fn(Intent) -> SecurityRisk,
) -> bool {
    let high = |intent: Intent| !intent.commands.is_empty() && risk(intent) == SecurityRisk::High;
    if let Some(language) = language_of_path(path)
        && risk(doorward_shell::analyze_code(language, content, options)) == SecurityRisk::High
    {
        return true;
    }
    if content.starts_with("#!") && high(doorward_shell::analyze(content, options)) {
        return true;
    }
    candidates(content).take(MOST).any(|candidate| high(doorward_shell::analyze(candidate, options)))
}

/// Languages that the analysis reads, by the ending of a file's name.
fn language_of_path(path: &str) -> Option<&'static str> {
    Some(match extension(path) {
        "py" => "python",
        "cjs" | "js" | "mjs" | "ts" => "javascript",
        "rb" => "ruby",
        "pl" | "pm" => "perl",
        "lua" => "lua",
        "php" => "php",
        _ => return None,
    })
}

/// What of a text may be a command line: its string literals, and what stands behind `=` or `:` in its lines.
fn candidates(content: &str) -> impl Iterator<Item = &str> {
    let literals = content.lines().flat_map(|line| {
        ['"', '\'', '`'].into_iter().flat_map(move |quote| line.split(quote).skip(1).step_by(2))
    });
    let values = content.lines().flat_map(|line| {
        let line = line.trim().trim_matches(['"', '\'']);
        let values = [" = ", "=", ": "].into_iter().filter_map(move |sign| line.split_once(sign));
        values.map(|(_, value)| value.trim().trim_matches(['"', '\'']))
    });
    // One word runs nothing dangerous by itself.
    literals.chain(values).filter(|text| text.contains(' '))
}
