//! Tasks: the user's words turn by turn, the initial files, and the signs of completion.
//!
//! Our own format is JSON (docs/eval.md). The published formats of MT-AgentRisk and OpenAgentSafety can also be
//! read, as far as they are data: instructions, turns, workspace files and required services. Their evaluators are
//! untrusted programs and are never run; such a task needs a judge.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Whether completing a task does harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Completing it does harm.
    Attack,
    /// Completing it is honest work.
    Benign,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// Unique in its set.
    pub id: String,
    /// Attack or work.
    pub kind: Kind,
    /// Description for people and the judge.
    #[serde(default)]
    pub about: String,
    /// Initial files of the project.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// The user's words, and the actions of a compliant agent.
    pub turns: Vec<Turn>,
    /// The task is completed if all of them hold. Without any, the judge decides.
    #[serde(default)]
    pub signs: Vec<Sign>,
    /// Required services that aren't available; such a task is skipped and reported.
    #[serde(default)]
    pub needs: Vec<String>,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// The user's words.
    pub say: String,
    /// Actions of a compliant agent; used if no model is the executor.
    #[serde(default)]
    pub script: Vec<Step>,
}

/// One action of a script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// A shell command.
    pub command: String,
    /// The agent's own risk statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub security_risk: Option<String>,
}

/// A sign checked at the end. Paths are in the project, `~/…` in the home folder, `../neighbour/…` next to the
/// project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Sign {
    /// A file exists.
    Exists(String),
    /// A file doesn't exist.
    Gone(String),
    /// A file contains a text.
    Holds {
        /// Its path.
        path: String,
        /// The text.
        text: String,
    },
    /// The output of a command contains a text.
    Says(String),
    /// A host whose address begins with this was contacted; empty for any.
    Contacts(String),
}

/// A task set that can't be read.
#[derive(Debug, thiserror::Error)]
#[error("eval.tasks: {path}: {why}")]
pub struct TaskError {
    path: PathBuf,
    why: String,
}

/// The bundled set.
const BUNDLED: &str = include_str!("tasks.json");

/// The bundled small set.
pub fn bundled() -> Result<Vec<Task>, TaskError> {
    let fault = |why: String| TaskError { path: PathBuf::from("the bundled set"), why };
    serde_json::from_str(BUNDLED).map_err(|error| fault(error.to_string()))
}

/// Reads a set: a `.json` or `.jsonl` file in our format, a recorded event list, or a folder that contains any of
/// them or published tasks. `kind` is for formats that don't state it.
pub fn load(path: &Path, kind: Kind) -> Result<Vec<Task>, TaskError> {
    let mut tasks = Vec::new();
    if path.is_dir() {
        folder(path, kind, 0, &mut tasks)?
    } else {
        file(path, kind, &mut tasks)?
    }
    if tasks.is_empty() {
        return Err(TaskError { path: path.to_owned(), why: "no task was found".to_owned() });
    }
    Ok(tasks)
}

/// Makes task names unique, because rows are stored by name.
pub fn tell_apart(tasks: &mut [Task]) {
    let mut known = BTreeSet::new();
    for task in tasks {
        let name = task.id.clone();
        let mut count = 1;
        while !known.insert(task.id.clone()) {
            count += 1;
            task.id = format!("{name}-{count}");
        }
    }
}

const DEEPEST: usize = 6;
const LARGEST: u64 = 4 << 20;

fn text(path: &Path) -> Result<String, TaskError> {
    let fault = |why: String| TaskError { path: path.to_owned(), why };
    let size = std::fs::metadata(path).map_err(|error| fault(error.to_string()))?.len();
    if size > LARGEST {
        return Err(fault("larger than 4 MiB".to_owned()));
    }
    std::fs::read_to_string(path).map_err(|error| fault(error.to_string()))
}

fn file(path: &Path, kind: Kind, into: &mut Vec<Task>) -> Result<(), TaskError> {
    let fault = |why: String| TaskError { path: path.to_owned(), why };
    let content = text(path)?;
    if path.extension().is_some_and(|end| end == "jsonl") {
        for line in content.lines().filter(|line| !line.trim().is_empty()) {
            into.push(serde_json::from_str(line).map_err(|error| fault(error.to_string()))?);
        }
        return Ok(());
    }
    let value: Value = serde_json::from_str(&content).map_err(|error| fault(error.to_string()))?;
    let own = |value: Value| serde_json::from_value::<Task>(value).map_err(|error| fault(error.to_string()));
    match value {
        Value::Array(items) if items.iter().any(|item| item.get("source").is_some()) => {
            let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
            into.push(recorded(&stem, kind, &items));
        }
        Value::Array(items) => {
            for item in items {
                into.push(own(item)?);
            }
        }
        value => into.push(own(value)?),
    }
    Ok(())
}

fn folder(path: &Path, kind: Kind, depth: usize, into: &mut Vec<Task>) -> Result<(), TaskError> {
    if let Some(task) = published(path, kind)? {
        into.push(task);
        return Ok(());
    }
    if depth >= DEEPEST {
        return Ok(());
    }
    let fault = |error: std::io::Error| TaskError { path: path.to_owned(), why: error.to_string() };
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(path).map_err(fault)?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        let kept = entry.extension().is_some_and(|end| end == "json" || end == "jsonl");
        if entry.is_dir() {
            folder(&entry, kind, depth + 1, into)?;
        } else if kept {
            file(&entry, kind, into)?;
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct Turns {
    turns: Vec<ListedTask>,
}

#[derive(Deserialize)]
struct ListedTask {
    #[serde(default)]
    instruction_file: Option<String>,
}

/// A task in the format of MT-AgentRisk (`task-turn-N.md`, `turns.yml`) or OpenAgentSafety (`task.md`).
fn published(path: &Path, kind: Kind) -> Result<Option<Task>, TaskError> {
    let listed = path.join("turns.yml");
    let instructions: Vec<PathBuf> = if listed.is_file() {
        let fault = |why: String| TaskError { path: listed.clone(), why };
        let read: Turns =
            serde_saphyr::from_str(&text(&listed)?).map_err(|error| fault(error.to_string()))?;
        let named =
            read.turns.into_iter().enumerate().map(|(at, turn)| {
                turn.instruction_file.unwrap_or_else(|| format!("task-turn-{}.md", at + 1))
            });
        let files: Vec<String> = named.collect();
        // A list with paths outside its folder is refused.
        if files.iter().any(|file| file.starts_with('/') || file.split('/').any(|part| part == "..")) {
            return Err(fault("an instruction file outside the task".to_owned()));
        }
        files.into_iter().map(|file| path.join(file)).collect()
    } else {
        let numbered = (1..=64).map(|at| path.join(format!("task-turn-{at}.md")));
        let several: Vec<PathBuf> = numbered.take_while(|file| file.is_file()).collect();
        let single = path.join("task.md");
        if several.is_empty() && single.is_file() { vec![single] } else { several }
    };
    if instructions.is_empty() {
        return Ok(None);
    }
    let mut turns = Vec::new();
    for file in instructions {
        turns.push(Turn { say: text(&file)?, script: Vec::new() });
    }
    let mut files = BTreeMap::new();
    for place in ["workspace", "utils/workspace"] {
        collect(&path.join(place), "", 0, &mut files);
    }
    let needs = ["dependencies.yml", "utils/dependencies.yml"]
        .iter()
        .map(|name| path.join(name))
        .find(|file| file.is_file())
        .map(|file| text(&file).map(|text| services(&text)))
        .transpose()?
        .unwrap_or_default();
    let id = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Some(Task { id, kind, about: String::new(), files, turns, signs: Vec::new(), needs }))
}

/// The services named in a task: a list, or a list under any member.
fn services(text: &str) -> Vec<String> {
    let value: Value = serde_saphyr::from_str(text).unwrap_or_default();
    let lists = match &value {
        Value::Array(items) => items.clone(),
        Value::Object(members) => members.values().filter_map(Value::as_array).flatten().cloned().collect(),
        _ => Vec::new(),
    };
    lists.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn collect(folder: &Path, below: &str, depth: usize, into: &mut BTreeMap<String, String>) {
    const MOST: usize = 400;
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let place = if below.is_empty() { name } else { format!("{below}/{name}") };
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && depth < DEEPEST {
            collect(&entry.path(), &place, depth + 1, into);
        } else if kind.is_file()
            && into.len() < MOST
            && let Ok(content) = text(&entry.path())
        {
            into.insert(place, content);
        }
    }
}

/// A recorded run: the user's messages are the turns, the agent's actions their script.
fn recorded(id: &str, kind: Kind, events: &[Value]) -> Task {
    let text =
        |event: &Value, pointer: &str| event.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let mut turns: Vec<Turn> = Vec::new();
    for event in events {
        let action = text(event, "/action").unwrap_or_default();
        match text(event, "/source").as_deref() {
            Some("user") if action == "message" => {
                let say =
                    text(event, "/args/content").or_else(|| text(event, "/message")).unwrap_or_default();
                turns.push(Turn { say, script: Vec::new() });
            }
            Some("agent") if matches!(action.as_str(), "run" | "run_ipython" | "write") => {
                if turns.is_empty() {
                    turns.push(Turn { say: String::new(), script: Vec::new() });
                }
                let command = match action.as_str() {
                    "run" => text(event, "/args/command"),
                    "run_ipython" => text(event, "/args/code").map(|code| handed_to("python3 -", &code)),
                    _ => text(event, "/args/path")
                        .zip(text(event, "/args/content"))
                        .map(|(path, content)| handed_to(&format!("cat > {}", word(&path)), &content)),
                };
                if let (Some(turn), Some(command)) = (turns.last_mut(), command) {
                    turn.script.push(Step { command, security_risk: text(event, "/args/security_risk") });
                }
            }
            _ => {}
        }
    }
    Task {
        id: id.to_owned(),
        kind,
        about: "a recorded run".to_owned(),
        files: BTreeMap::new(),
        turns,
        signs: Vec::new(),
        needs: Vec::new(),
    }
}

/// A command with a text as here-document; the delimiter doesn't occur in the text.
fn handed_to(command: &str, text: &str) -> String {
    let mut end = "LAB_END".to_owned();
    while text.lines().any(|line| line == end) {
        end.push('_');
    }
    format!("{command} <<'{end}'\n{}\n{end}", text.trim_end_matches('\n'))
}

/// Quotes one shell word.
fn word(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_set_is_whole() {
        let tasks = bundled().unwrap();
        let mut ids: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), tasks.len());
        for task in &tasks {
            assert!(
                !task.signs.is_empty() && task.turns.iter().all(|turn| !turn.script.is_empty()),
                "{}",
                task.id
            );
        }
        let attacks = tasks.iter().filter(|task| task.kind == Kind::Attack).count();
        assert!(attacks >= 8 && tasks.len() - attacks >= 8);
    }

    #[test]
    fn a_recorded_run_becomes_commands() {
        let events = serde_json::json!([
            {"source": "user", "action": "message", "args": {"content": "go"}},
            {"source": "agent", "action": "write", "args": {"path": "it's", "content": "a\nLAB_END\n"}},
            {"source": "agent", "action": "run_ipython", "args": {"code": "print(1)"}},
            {"source": "agent", "action": "browse", "args": {"url": "http://x"}},
        ]);
        let task = recorded("r", Kind::Attack, events.as_array().unwrap());
        let commands: Vec<&str> = task.turns[0].script.iter().map(|step| step.command.as_str()).collect();
        assert_eq!(
            commands,
            [
                "cat > 'it'\\''s' <<'LAB_END_'\na\nLAB_END\nLAB_END_",
                "python3 - <<'LAB_END'\nprint(1)\nLAB_END"
            ]
        );
    }

    #[test]
    fn published_layouts_are_read_and_nothing_of_theirs_is_run() {
        let folder = tempfile::tempdir().unwrap();
        let put = |file: &str, text: &str| {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put("many/task-turn-1.md", "first");
        put("many/task-turn-2.md", "second");
        put(
            "many/turns.yml",
            "turns:\n  - id: 1\n    instruction_file: task-turn-1.md\n    max_steps: 10\n  - id: 2\n    \
             instruction_file: task-turn-2.md\n    success_patterns: [a]\n",
        );
        put("many/workspace/data/a.csv", "a,b");
        put("many/utils/evaluator.py", "raise SystemExit(1)");
        put("many/utils/dependencies.yml", "- gitlab\n");
        put("one/task.md", "only");
        put("one/checkpoints.yml", "x: 1");
        put(
            "runs/r1.json",
            concat!(
                r#"[{"source":"user","action":"message","args":{"content":"go"}},"#,
                r#"{"source":"agent","action":"run","args":{"command":"ls"}}]"#,
            ),
        );
        let tasks = load(folder.path(), Kind::Attack).unwrap();
        let told: Vec<(&str, usize)> =
            tasks.iter().map(|task| (task.id.as_str(), task.turns.len())).collect();
        assert_eq!(told, [("many", 2), ("one", 1), ("r1", 1)]);
        assert_eq!(tasks[0].files["data/a.csv"], "a,b");
        assert_eq!(tasks[0].needs, ["gitlab"]);
        assert_eq!(tasks[2].turns[0].script[0].command, "ls");
        put("more/many/task.md", "another of that name");
        let mut tasks = load(folder.path(), Kind::Attack).unwrap();
        tell_apart(&mut tasks);
        let names: Vec<&str> = tasks.iter().map(|task| task.id.as_str()).collect();
        assert_eq!(names, ["many", "many-2", "one", "r1"]);
        put("bad/turns.yml", "turns: [{instruction_file: ../../x.md}]");
        assert!(load(folder.path(), Kind::Attack).is_err());
    }
}
