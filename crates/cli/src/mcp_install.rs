//! `doorward install mcp` and `doorward uninstall mcp`: the gateway put before the servers that agents are configured
//! with, and taken away again.
//!
//! A file is changed in place: the command and the arguments of each server that is started, and no other byte. What
//! the file was is kept, so that it comes back byte for byte; where it was changed meanwhile, only our own words are
//! taken out again.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use doorward::rooms::core::id::Digest;
use doorward::rooms::mcp::message::Members;
use doorward_lab::detect;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::output::Failure;

/// Folder in the state directory that keeps files as they were.
const KEPT: &str = "mcp-installed";
/// Members of a configuration that hold servers by name.
const HOLDERS: &[&str] = &["mcpServers", "servers", "mcp"];

/// What is kept of a file.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    file: PathBuf,
    before: String,
    /// Digest of what we wrote.
    after: String,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Changed {
    pub(crate) file: PathBuf,
    /// Servers that were wrapped or unwrapped.
    pub(crate) servers: Vec<String>,
}

/// Files with servers: one, a project's, or the user's.
pub(crate) fn files(home: Option<&Path>, project: Option<&Path>, file: Option<&Path>) -> Vec<PathBuf> {
    if let Some(file) = file {
        return vec![file.to_owned()];
    }
    let found = match project {
        Some(project) => detect::declared(None, Some(project)),
        None => detect::declared(home, None),
    };
    let files: BTreeSet<PathBuf> = found.declared.into_iter().map(|one| one.file).collect();
    // What an administrator manages isn't ours to change.
    files.into_iter().filter(|file| !file.starts_with("/etc")).collect()
}

/// Puts the gateway before every server of a file that is started and hasn't one.
pub(crate) fn wrap(file: &Path, program: &Path, state: &Path, own_state: bool) -> Result<Changed, Failure> {
    let before = read(file)?;
    let words = |name: &str| {
        let mut words =
            vec![program.display().to_string(), "mcp".to_owned(), "--name".to_owned(), plain(name)];
        if own_state {
            words.extend(["--state".to_owned(), state.display().to_string()]);
        }
        words.push("--".to_owned());
        words
    };
    let edit = |name: &str, command: &[String]| {
        let wrapped = is_ours(command);
        (!wrapped).then(|| words(name).into_iter().chain(command.iter().cloned()).collect())
    };
    let (after, servers) = edited(file, &before, &edit)?;
    if !servers.is_empty() {
        let kept = Kept { file: file.to_owned(), before, after: Digest::of(after.as_bytes()).into_string() };
        keep(state, &kept)?;
        write(file, &after)?;
    }
    Ok(Changed { file: file.to_owned(), servers })
}

/// Takes the gateway away again. What the file was is in the state directory that its commands name, else in `state`.
pub(crate) fn unwrap(file: &Path, state: &Path) -> Result<Changed, Failure> {
    let now = read(file)?;
    let named: RefCell<Option<PathBuf>> = RefCell::default();
    let edit = |_: &str, command: &[String]| {
        let own = command.iter().position(|word| word == "--").filter(|_| is_ours(command))?;
        let state = command.iter().take(own).position(|word| word == "--state");
        if let Some(state) = state.and_then(|at| command.get(at + 1)) {
            named.replace(Some(PathBuf::from(state)));
        }
        Some(command.get(own + 1..)?.to_vec())
    };
    let (mut after, servers) = edited(file, &now, &edit)?;
    if servers.is_empty() {
        return Ok(Changed { file: file.to_owned(), servers });
    }
    let named = named.into_inner();
    let place = kept_place(named.as_deref().unwrap_or(state), file);
    let kept: Option<Kept> = fs::read(&place).ok().and_then(|text| serde_json::from_slice(&text).ok());
    if let Some(kept) =
        kept.filter(|kept| kept.file == file && Digest::of(now.as_bytes()) == kept.after.as_str())
    {
        after = kept.before;
    }
    write(file, &after)?;
    // The file is as it was: nothing is left to remember.
    let _ = fs::remove_file(place);
    Ok(Changed { file: file.to_owned(), servers })
}

/// Whether a command line is one of ours.
pub(crate) fn is_ours(command: &[String]) -> bool {
    let name = command.first().and_then(|program| Path::new(program).file_name());
    name.is_some_and(|name| name == "doorward") && command.get(1).is_some_and(|word| word == "mcp")
}

/// A name that a rule can write.
fn plain(name: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '-' };
    name.chars().map(kept).take(64).collect()
}

type Edit<'a> = &'a dyn Fn(&str, &[String]) -> Option<Vec<String>>;

fn edited(file: &Path, text: &str, edit: Edit<'_>) -> Result<(String, Vec<String>), Failure> {
    if file.extension().is_some_and(|extension| extension == "toml") {
        edited_toml(file, text, edit)
    } else {
        edited_json(file, text, edit)
    }
}

/// A part of a text that is written anew.
struct Replaced {
    from: usize,
    to: usize,
    with: String,
}

fn edited_json(file: &Path, text: &str, edit: Edit<'_>) -> Result<(String, Vec<String>), Failure> {
    let root = Members::of(text).map_err(|error| {
        let why = format!(
            "{}: {error}; a file with comments is changed by hand: put `doorward mcp --` before the command",
            file.display()
        );
        Failure::new("install.json", why)
    })?;
    let mut holders: Vec<&RawValue> = HOLDERS.iter().filter_map(|name| root.get(name)).collect();
    // Claude Code keeps servers by project too.
    let projects = root.get("projects").and_then(|projects| Members::of(projects.get()).ok());
    for project in projects.iter().flat_map(Members::iter) {
        let members = Members::of(project.1.get()).ok();
        holders.extend(members.and_then(|members| members.get("mcpServers")));
    }
    let mut parts: Vec<Replaced> = Vec::new();
    let mut servers = Vec::new();
    for holder in holders {
        let Ok(entries) = Members::of(holder.get()) else { continue };
        for (name, entry) in entries.iter() {
            let Ok(members) = Members::of(entry.get()) else { continue };
            if let Some(more) = entry_parts(text, name, &members, edit) {
                parts.extend(more);
                servers.push(name.to_owned());
            }
        }
    }
    parts.sort_by_key(|part| std::cmp::Reverse(part.from));
    let mut out = text.to_owned();
    for part in parts {
        out.replace_range(part.from..part.to, &part.with);
    }
    Ok((out, servers))
}

/// What changes in one server's entry.
fn entry_parts(text: &str, name: &str, members: &Members<'_>, edit: Edit<'_>) -> Option<Vec<Replaced>> {
    let raw = members.get("command")?;
    let command: Value = serde_json::from_str(raw.get()).ok()?;
    let args = members.get("args");
    let list = |value: &Value| -> Option<Vec<String>> {
        value.as_array()?.iter().map(|word| word.as_str().map(str::to_owned)).collect()
    };
    let part = |raw: &RawValue, with: String| {
        // Borrowed from the text, so its place is the distance of the two.
        let from = (raw.get().as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
        let to = from.checked_add(raw.get().len())?;
        (text.get(from..to) == Some(raw.get())).then_some(Replaced { from, to, with })
    };
    if command.is_array() {
        let words = edit(name, &list(&command)?)?;
        return Some(vec![part(raw, Value::from(words).to_string())?]);
    }
    let mut words = vec![command.as_str()?.to_owned()];
    if let Some(args) = args {
        words.extend(list(&serde_json::from_str(args.get()).ok()?)?);
    }
    let words = edit(name, &words)?;
    let (program, rest) = words.split_first()?;
    let rest = Value::from(rest.to_vec()).to_string();
    let program = Value::from(program.as_str()).to_string();
    match args {
        Some(args) => Some(vec![part(raw, program)?, part(args, rest)?]),
        None => Some(vec![part(raw, format!("{program}, \"args\": {rest}"))?]),
    }
}

fn edited_toml(file: &Path, text: &str, edit: Edit<'_>) -> Result<(String, Vec<String>), Failure> {
    let mut document: toml_edit::DocumentMut =
        text.parse().map_err(|error| Failure::new("install.toml", format!("{}: {error}", file.display())))?;
    let mut servers = Vec::new();
    let Some(holder) = document.get_mut("mcp_servers").and_then(toml_edit::Item::as_table_like_mut) else {
        return Ok((text.to_owned(), servers));
    };
    for (name, entry) in holder.iter_mut() {
        let Some(entry) = entry.as_table_like_mut() else { continue };
        let Some(program) = entry.get("command").and_then(toml_edit::Item::as_str).map(str::to_owned) else {
            continue;
        };
        let args = entry.get("args").and_then(toml_edit::Item::as_array);
        let args: Vec<String> =
            args.into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned)).collect();
        let command: Vec<String> = std::iter::once(program).chain(args).collect();
        let Some(words) = edit(name.get(), &command) else { continue };
        let Some((program, rest)) = words.split_first() else { continue };
        entry.insert("command", toml_edit::value(program.as_str()));
        entry.insert("args", toml_edit::value(rest.iter().map(String::as_str).collect::<toml_edit::Array>()));
        servers.push(name.get().to_owned());
    }
    Ok((document.to_string(), servers))
}

fn read(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file)
        .map_err(|error| Failure::new("install.read", format!("{}: {error}", file.display())))
}

/// Writes beside and moves over, so that nobody reads half a file.
fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let told = |error: std::io::Error| Failure::new("install.write", format!("{}: {error}", file.display()));
    let target = fs::canonicalize(file).map_err(told)?;
    let beside = target.with_extension("doorward-new");
    fs::write(&beside, text).map_err(told)?;
    let mode = fs::metadata(&target).map_err(told)?.permissions().mode();
    fs::set_permissions(&beside, fs::Permissions::from_mode(mode)).map_err(told)?;
    fs::rename(&beside, &target).map_err(told)
}

fn kept_place(state: &Path, file: &Path) -> PathBuf {
    let name = Digest::of(file.display().to_string().as_bytes()).as_str().replace(':', "-");
    state.join(KEPT).join(format!("{name}.json"))
}

/// What a file was may hold secrets: only its user reads it.
fn keep(state: &Path, kept: &Kept) -> Result<(), Failure> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(state.join(KEPT))?;
    let place = kept_place(state, &kept.file);
    fs::write(&place, serde_json::to_vec(kept)?)?;
    fs::set_permissions(&place, fs::Permissions::from_mode(0o600))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_wrapped_in_place_and_come_back_byte_for_byte() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state");
        let program = Path::new("/opt/doorward");
        for (name, text, more) in [
            (
                "a.json",
                "{\n  \"x\": 1.50e3,\n\t\"mcpServers\" : { \"fs\":{\"command\":\"npx\",\"args\":[ \"-y\", \"fs\" \
                 ],\"env\":{\"T\":\"v\"}},\n \"http\": {\"url\": \"https://x.example\"}, \"bare\": {\"command\": \
                 \"tool\"} },\n \"projects\": {\"/p\": {\"mcpServers\": {\"git\": {\"command\": \"mcp-git\", \
                 \"args\": []}}}}\n}\n",
                3,
            ),
            (
                "b.toml",
                "# mine\n[mcp_servers.docs] # here\ncommand = 'uvx'\nargs = [\"docs\"]\n\n[mcp_servers.far]\nurl = \
                 \"https://x.example\"\n",
                1,
            ),
            ("c.json", "{\"mcp\": {\"o\": {\"type\": \"local\", \"command\": [\"bun\", \"x\"]}}}", 1),
        ] {
            let file = dir.path().join(name);
            fs::write(&file, text).unwrap();
            assert_eq!(wrap(&file, program, &state, false).unwrap().servers.len(), more, "{name}");
            let wrapped = fs::read_to_string(&file).unwrap();
            assert!(wrapped.contains("\"mcp\"") && wrapped.contains("/opt/doorward"), "{wrapped}");
            assert!(wrap(&file, program, &state, false).unwrap().servers.is_empty(), "not twice");
            assert_eq!(unwrap(&file, &state).unwrap().servers.len(), more);
            assert_eq!(fs::read_to_string(&file).unwrap(), text, "{name}");
            // Changed meanwhile: our words go, the change stays.
            wrap(&file, program, &state, false).unwrap();
            let changed = fs::read_to_string(&file)
                .unwrap()
                .replace("x.example", "y.example")
                .replace("\"x\"]", "\"z\"]");
            fs::write(&file, &changed).unwrap();
            unwrap(&file, &state).unwrap();
            let now = fs::read_to_string(&file).unwrap();
            assert!(
                !now.contains("doorward") && (now.contains("y.example") || now.contains("\"z\"")),
                "{now}"
            );
        }
    }
}
