//! `doorward install mcp` and `doorward uninstall mcp`: the gateway put before the servers that agents are configured
//! with, and taken away again.
//!
//! A file is changed in place: the command and the arguments of each server that is started, the entry of each server
//! at a URL ([`address`]), and no other byte. Comments stay, those inside an entry that is written anew too. What the file
//! was is kept, so that it comes back byte for byte; where it was changed meanwhile, only our own words are taken out
//! again.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use doorward::rooms::core::id::Digest;
use doorward::rooms::hooks::jsonc;
use doorward::rooms::mcp::message::Members;
use doorward_lab::detect;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use toml_edit::TableLike;

use crate::mcp_install_address as address;
use crate::output::Failure;

/// Folder in the state directory that keeps files as they were.
const KEPT: &str = "mcp-installed";
/// Members of a configuration that hold servers by name.
const HOLDERS: &[&str] = &["mcpServers", "servers", "mcp", "context_servers"];

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
    /// Servers that were left as they are, with the reason.
    pub(crate) left: Vec<(String, String)>,
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

/// Puts the gateway before every server of a file that hasn't one.
pub(crate) fn wrap(file: &Path, program: &Path, state: &Path, own_state: bool) -> Result<Changed, Failure> {
    let before = read(file)?;
    let words = |name: &str| {
        let mut words =
            vec![program.display().to_string(), "mcp".to_owned(), "--name".to_owned(), plain(name)];
        if own_state {
            words.extend(["--state".to_owned(), state.display().to_string()]);
        }
        words
    };
    let (after, changed) = edited(file, &before, &Wrapping { words: &words })?;
    if !changed.servers.is_empty() {
        let kept = Kept { file: file.to_owned(), before, after: Digest::of(after.as_bytes()).into_string() };
        keep(state, &kept)?;
        write(file, &after)?;
    }
    Ok(changed)
}

/// Takes the gateway away again. What the file was is in the state directory that its commands name, else in `state`.
pub(crate) fn unwrap(file: &Path, state: &Path) -> Result<Changed, Failure> {
    let now = read(file)?;
    let looking = Looking::default();
    edited(file, &now, &looking)?;
    let named = looking.state.into_inner();
    let place = kept_place(named.as_deref().unwrap_or(state), file);
    let kept: Option<Kept> = fs::read(&place).ok().and_then(|text| serde_json::from_slice(&text).ok());
    let kept = kept.filter(|kept| kept.file == file);
    let before = kept.as_ref().map(|kept| jsonc::blanked(&kept.before));
    let (mut after, changed) = edited(file, &now, &Unwrapping { before: before.as_deref() })?;
    if changed.servers.is_empty() {
        return Ok(changed);
    }
    if let Some(kept) = kept.filter(|kept| Digest::of(now.as_bytes()) == kept.after.as_str()) {
        after = kept.before;
    }
    write(file, &after)?;
    // The file is as it was: nothing is left to remember.
    let _ = fs::remove_file(place);
    Ok(changed)
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

/// What is done to the servers of a file.
trait Edit {
    /// The new command line of a server that is started; `None` if it stays.
    fn command(&self, name: &str, command: &[String]) -> Option<Vec<String>>;

    /// The new entry of a server, where more than its command line changes. An error says why it is left as it is.
    fn entry(&self, name: &str, members: &Members<'_>, words: &[String]) -> Option<Result<String, String>>;

    /// The same for a table of Codex.
    fn table(&self, name: &str, entry: &mut dyn TableLike) -> Option<Result<(), String>>;

    /// The same for OpenHands' lists of servers at a URL. Names of those that were changed.
    fn lists(&self, mcp: &mut dyn TableLike) -> Vec<String>;
}

struct Wrapping<'a> {
    /// Our own words before those of a server.
    words: &'a dyn Fn(&str) -> Vec<String>,
}

impl Edit for Wrapping<'_> {
    fn command(&self, name: &str, command: &[String]) -> Option<Vec<String>> {
        let own = (self.words)(name).into_iter().chain(["--".to_owned()]);
        (!is_ours(command)).then(|| own.chain(command.iter().cloned()).collect())
    }

    fn entry(&self, name: &str, members: &Members<'_>, _: &[String]) -> Option<Result<String, String>> {
        address::wrapped(members, &(self.words)(name))
    }

    fn table(&self, name: &str, entry: &mut dyn TableLike) -> Option<Result<(), String>> {
        address::wrap_table(entry, &(self.words)(name))
    }

    fn lists(&self, mcp: &mut dyn TableLike) -> Vec<String> {
        address::wrap_lists(mcp, self.words)
    }
}

struct Unwrapping<'a> {
    /// The file as it was, as plain JSON.
    before: Option<&'a str>,
}

impl Edit for Unwrapping<'_> {
    fn command(&self, _: &str, command: &[String]) -> Option<Vec<String>> {
        let own = command.iter().position(|word| word == "--").filter(|_| is_ours(command))?;
        Some(command.get(own + 1..)?.to_vec())
    }

    fn entry(&self, name: &str, members: &Members<'_>, words: &[String]) -> Option<Result<String, String>> {
        let original = self.before.and_then(|before| entry_in(before, name));
        if !is_ours(words) {
            return None;
        }
        if words.iter().any(|word| word == "--") {
            // Where there were no arguments, the member is ours as a whole.
            let original = Members::of(original?).ok()?;
            let command = self.command(name, words).filter(|command| command.len() == 1)?;
            if original.get("args").is_some() || members.get("args").is_none() {
                return None;
            }
            let without = members.with("args", None);
            let program = Value::from(command.into_iter().next()?).to_string();
            return Some(Ok(Members::of(&without).ok()?.with("command", Some(&program))));
        }
        address::unwrapped(members, words, original).map(Ok)
    }

    fn table(&self, _: &str, entry: &mut dyn TableLike) -> Option<Result<(), String>> {
        let program = entry.get("command").and_then(toml_edit::Item::as_str).unwrap_or_default().to_owned();
        let args = entry.get("args").and_then(toml_edit::Item::as_array);
        let first = args.and_then(|args| args.get(0)).and_then(toml_edit::Value::as_str).unwrap_or_default();
        let is_ours = is_ours(&[program, first.to_owned()]);
        (is_ours && address::unwrap_table(entry)).then_some(Ok(()))
    }

    fn lists(&self, mcp: &mut dyn TableLike) -> Vec<String> {
        address::unwrap_lists(mcp, &is_ours)
    }
}

/// Only looks for the state directory that our command lines name.
#[derive(Default)]
struct Looking {
    state: RefCell<Option<PathBuf>>,
}

impl Edit for Looking {
    fn command(&self, _: &str, command: &[String]) -> Option<Vec<String>> {
        let own = command.iter().take_while(|word| *word != "--").position(|word| word == "--state");
        if let Some(state) = own.filter(|_| is_ours(command)).and_then(|at| command.get(at + 1)) {
            self.state.replace(Some(PathBuf::from(state)));
        }
        None
    }

    fn entry(&self, _: &str, _: &Members<'_>, _: &[String]) -> Option<Result<String, String>> {
        None
    }

    fn table(&self, _: &str, _: &mut dyn TableLike) -> Option<Result<(), String>> {
        None
    }

    fn lists(&self, _: &mut dyn TableLike) -> Vec<String> {
        Vec::new()
    }
}

fn edited(file: &Path, text: &str, edit: &dyn Edit) -> Result<(String, Changed), Failure> {
    let mut changed = Changed { file: file.to_owned(), servers: Vec::new(), left: Vec::new() };
    let after = if file.extension().is_some_and(|extension| extension == "toml") {
        edited_toml(file, text, edit, &mut changed)?
    } else {
        edited_json(file, text, edit, &mut changed)?
    };
    Ok((after, changed))
}

/// A part of a text that is written anew.
struct Replaced {
    from: usize,
    to: usize,
    with: String,
}

/// Everything in a JSON file that holds servers by name.
fn holders<'a>(root: &Members<'a>) -> Vec<&'a RawValue> {
    let mut holders: Vec<&RawValue> = HOLDERS.iter().filter_map(|name| root.get(name)).collect();
    // Claude Code keeps servers by project too.
    let projects = root.get("projects").and_then(|projects| Members::of(projects.get()).ok());
    for project in projects.iter().flat_map(Members::iter) {
        let members = Members::of(project.1.get()).ok();
        holders.extend(members.and_then(|members| members.get("mcpServers")));
    }
    holders
}

/// The entry of a server of this name.
fn entry_in<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let root = Members::of(text).ok()?;
    let found = holders(&root).into_iter().find_map(|holder| Members::of(holder.get()).ok()?.get(name));
    found.map(RawValue::get)
}

fn edited_json(file: &Path, text: &str, edit: &dyn Edit, changed: &mut Changed) -> Result<String, Failure> {
    // Every value lies at the same place in the file.
    let plain = jsonc::blanked(text);
    let root = Members::of(&plain).map_err(|error| {
        let why = format!(
            "{}: {error}; correct it, or change it by hand: put `doorward mcp --` before the command",
            file.display()
        );
        Failure::new("install.json", why)
    })?;
    let mut parts: Vec<Replaced> = Vec::new();
    for holder in holders(&root) {
        let Ok(entries) = Members::of(holder.get()) else { continue };
        for (name, entry) in entries.iter() {
            let Ok(members) = Members::of(entry.get()) else { continue };
            match entry_parts((&plain, text), name, entry, &members, edit) {
                Some(Ok(more)) => {
                    parts.extend(more);
                    changed.servers.push(name.to_owned());
                }
                Some(Err(why)) => changed.left.push((name.to_owned(), why)),
                None => {}
            }
        }
    }
    parts.sort_by_key(|part| std::cmp::Reverse(part.from));
    let mut out = text.to_owned();
    for part in parts {
        out.replace_range(part.from..part.to, &part.with);
    }
    Ok(out)
}

/// An entry that is written anew, with the comments that were in it.
fn with_comments(was: &str, with: String) -> String {
    let Some(rest) = with.strip_prefix('{') else { return with };
    let kept = jsonc::comments(was).map(|comment| {
        // A comment of one line needs the line's end.
        let end = if comment.starts_with("//") { "\n" } else { " " };
        format!("{comment}{end}")
    });
    let kept: String = kept.collect();
    if kept.is_empty() { with } else { format!("{{ {kept}{rest}") }
}

/// A list of words that is written anew: the words in front change, and those behind them stay as they are written.
fn list_of(plain: &str, written: &str, old: &[String], new: &[String]) -> String {
    let joined = |words: &[String]| {
        words.iter().map(|word| Value::from(word.as_str()).to_string()).collect::<Vec<_>>().join(", ")
    };
    let (inside, whole) = (written.get(1..).unwrap_or_default(), || Value::from(new.to_vec()).to_string());
    if let Some(more) = new.strip_suffix(old) {
        let comma = if old.is_empty() || more.is_empty() { "" } else { ", " };
        return format!("[{}{comma}{inside}", joined(more));
    }
    let Some(gone) = old.strip_suffix(new).filter(|_| !new.is_empty()) else { return whole() };
    let items: Vec<&RawValue> = serde_json::from_str(plain).unwrap_or_default();
    let last = gone.len().checked_sub(1).and_then(|at| items.get(at));
    // Borrowed from the text, so its place is the distance of the two.
    let end = last
        .and_then(|raw| (raw.get().as_ptr() as usize + raw.get().len()).checked_sub(plain.as_ptr() as usize));
    let comma = end.and_then(|end| Some(end + plain.get(end..)?.find(',')? + 1));
    comma.and_then(|from| written.get(from..)).map_or_else(whole, |rest| format!("[{}", rest.trim_start()))
}

/// What changes in one server's entry; an error says why nothing does. The text as plain JSON, and as it is written.
fn entry_parts(
    (text, written): (&str, &str),
    name: &str,
    entry: &RawValue,
    members: &Members<'_>,
    edit: &dyn Edit,
) -> Option<Result<Vec<Replaced>, String>> {
    let part = |raw: &RawValue, with: String| {
        // Borrowed from the text, so its place is the distance of the two.
        let from = (raw.get().as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
        let to = from.checked_add(raw.get().len())?;
        (text.get(from..to) == Some(raw.get())).then_some(Replaced { from, to, with })
    };
    let list = |raw: &RawValue| -> Option<Vec<String>> {
        let value: Value = serde_json::from_str(raw.get()).ok()?;
        value.as_array()?.iter().map(|word| word.as_str().map(str::to_owned)).collect()
    };
    let raw = members.get("command");
    let args = members.get("args");
    let is_list = raw.is_some_and(|raw| raw.get().starts_with('['));
    let words: Vec<String> = match raw {
        None => Vec::new(),
        Some(raw) if is_list => list(raw)?,
        Some(raw) => {
            let program: String = serde_json::from_str(raw.get()).ok()?;
            std::iter::once(program).chain(args.map(list).unwrap_or(Some(Vec::new()))?).collect()
        }
    };
    if let Some(with) = edit.entry(name, members, &words) {
        return Some(match with {
            Ok(with) => {
                let mut part = part(entry, with)?;
                part.with = with_comments(written.get(part.from..part.to)?, part.with);
                Ok(vec![part])
            }
            Err(why) => Err(why),
        });
    }
    let raw = raw?;
    let listed = |raw: &RawValue, old: &[String], new: &[String]| {
        let mut part = part(raw, String::new())?;
        part.with = list_of(raw.get(), written.get(part.from..part.to)?, old, new);
        Some(part)
    };
    let old = words;
    let words = edit.command(name, &old)?;
    if is_list {
        return Some(Ok(vec![listed(raw, &old, &words)?]));
    }
    let (program, rest) = words.split_first()?;
    let program = Value::from(program.as_str()).to_string();
    Some(Ok(match args {
        Some(args) => vec![part(raw, program)?, listed(args, old.get(1..).unwrap_or_default(), rest)?],
        None => vec![part(raw, format!("{program}, \"args\": {}", Value::from(rest.to_vec())))?],
    }))
}

fn edited_toml(file: &Path, text: &str, edit: &dyn Edit, changed: &mut Changed) -> Result<String, Failure> {
    let mut document: toml_edit::DocumentMut =
        text.parse().map_err(|error| Failure::new("install.toml", format!("{}: {error}", file.display())))?;
    // Codex.
    if let Some(holder) = document.get_mut("mcp_servers").and_then(toml_edit::Item::as_table_like_mut) {
        for (name, entry) in holder.iter_mut() {
            let Some(entry) = entry.as_table_like_mut() else { continue };
            edit_table(name.get(), entry, edit, changed);
        }
    }
    // OpenHands.
    if let Some(mcp) = document.get_mut("mcp").and_then(toml_edit::Item::as_table_like_mut) {
        match mcp.get_mut("stdio_servers") {
            Some(toml_edit::Item::ArrayOfTables(all)) => {
                for entry in all.iter_mut() {
                    edit_command(entry, edit, changed);
                }
            }
            Some(toml_edit::Item::Value(toml_edit::Value::Array(all))) => {
                for entry in all.iter_mut().filter_map(toml_edit::Value::as_inline_table_mut) {
                    edit_command(entry, edit, changed);
                }
            }
            _ => {}
        }
        changed.servers.extend(edit.lists(mcp));
    }
    // Whatever wasn't changed keeps its bytes.
    Ok(if changed.servers.is_empty() { text.to_owned() } else { document.to_string() })
}

fn edit_table(name: &str, entry: &mut dyn TableLike, edit: &dyn Edit, changed: &mut Changed) {
    match edit.table(name, entry) {
        Some(Ok(())) => changed.servers.push(name.to_owned()),
        Some(Err(why)) => changed.left.push((name.to_owned(), why)),
        None => edit_words(name, entry, edit, changed),
    }
}

/// One of OpenHands' servers that are started.
fn edit_command(entry: &mut dyn TableLike, edit: &dyn Edit, changed: &mut Changed) {
    let name = entry.get("name").and_then(toml_edit::Item::as_str).unwrap_or("server").to_owned();
    edit_words(&name, entry, edit, changed);
}

fn edit_words(name: &str, entry: &mut dyn TableLike, edit: &dyn Edit, changed: &mut Changed) {
    let Some(command) = address::words_of(entry) else { return };
    let Some(words) = edit.command(name, &command) else { return };
    address::set_words(entry, &words);
    changed.servers.push(name.to_owned());
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

    /// Every format that is known, with how many servers of it are wrapped, and words that the wrapped file has to hold.
    /// Tokens are made up.
    const FILES: &[(&str, &str, usize, &[&str])] = &[
        (
            ".claude.json",
            "{\n  \"x\": 1.50e3,\n\t\"mcpServers\" : { \"fs\":{\"command\":\"npx\",\"args\":[ \"-y\", \"fs\" \
             ],\"env\":{\"T\":\"v\"}},\n \"http\": {\"type\" : \"http\", \"url\": \"https://x.example/mcp\", \
             \"headers\":{\"Authorization\": \"Bearer ${TOKEN}\"}}, \"bare\": {\"command\": \"tool\"}, \"own\": \
             {\"url\": \"https://own.example\", \"oauth\": {}} },\n \"projects\": {\"/p\": {\"mcpServers\": {\"git\": \
             {\"command\": \"mcp-git\", \"args\": []}, \"old\": {\"type\": \"sse\", \"url\": \
             \"http://127.0.0.1:9/sse\"}}}}\n}\n",
            5,
            &[
                "\"--header-from\",\"Authorization=DOORWARD_MCP_HEADER_1\"",
                "\"DOORWARD_MCP_HEADER_1\":\"Bearer ${TOKEN}\"",
                "\"--sse\"",
                "https://x.example/mcp",
            ],
        ),
        (
            "config.toml",
            "# mine\n[mcp_servers.docs] # here\ncommand = 'uvx'\nargs = [\"docs\"]\n\n[mcp_servers.far]\nurl = \
             \"https://x.example\" # far\nbearer_token_env_var = \"FAR\"\nstartup_timeout_sec = 5\n\n\
             [mcp_servers.more]\nurl = \"https://more.example/x?key=k\"\nhttp_headers = { A = \"v\" }\n\
             env_http_headers = { B = \"VB\" }\n",
            3,
            &[
                "\"--bearer-from\", \"FAR\"",
                "env_vars = [\"FAR\"]",
                "\"--url-from\"",
                "B=VB",
                "startup_timeout_sec = 5",
            ],
        ),
        (
            "cursor.json",
            "{\"mcpServers\":{\"c\":{\"url\":\"http://x.example:8123/mcp\",\"headers\":{\"K\":\"v\"}}}}",
            1,
            &["--plain-http"],
        ),
        (
            "gemini.json",
            "{ \"mcpServers\": { \"h\": { \"httpUrl\": \"https://x.example/mcp\", \"timeout\": 5000 }, \"s\": \
             {\"url\": \"https://s.example/sse\"} } }",
            2,
            &["\"timeout\":5000"],
        ),
        (
            "copilot.json",
            "{\"mcpServers\":{\"g\":{\"type\":\"http\",\"url\":\"https://x.example/\",\"tools\":[\"*\"]}}}",
            1,
            &["\"stdio\"", "\"tools\":[\"*\"]"],
        ),
        (
            "vscode.json",
            "{\"servers\":{\"v\":{\"type\":\"http\",\"url\":\"https://x.example\",\"headers\":{\"A\":\"${input:a}\"}}},\"inputs\":[]}",
            1,
            &["${input:a}", "\"inputs\":[]"],
        ),
        (
            "mcp.json",
            "// Servers of this project.\n{\n  /* two */ \"servers\": {\n    \"fs\": { // files\n      \"command\": \
             \"npx\", // the runner\n      \"args\": [\"-y\", \"fs\", /* here */ \".\",], // last\n    },\n    \
             \"far\": {\n      // signs in by a header\n      \"type\": \"http\", \"url\": \
             \"https://x.example/mcp\", /* a, b */\n \"headers\": {\"A\": \"${input:a}\",},\n    },\n    // \"off\": \
             {\"command\": \"x\"},\n    \"bare\": {\"command\": \"tool\",},\n  },\n}\n// end\n",
            3,
            &[
                "// Servers of this project.",
                "/* two */",
                "// files",
                "// the runner",
                "/* here */ \".\",], // last",
                "// signs in by a header\n",
                "/* a, b */",
                "// \"off\": {\"command\": \"x\"},",
                "// end",
            ],
        ),
        (
            "zed.json",
            "// Zed settings\n{\n  \"theme\": \"One Dark\",\n  \"context_servers\": {\n    \"db\": {\"command\": \
             \"uvx\", \"args\": [\"db\"], \"env\": {}}, // ours\n    \"far\": {\"url\": \"https://x.example/mcp\"},\n  \
             },\n}\n",
            2,
            &["// Zed settings", "// ours", "\"theme\": \"One Dark\""],
        ),
        (
            "windsurf.json",
            "{\"mcpServers\":{\"w\":{\"serverUrl\":\"https://x.example/mcp\",\"disabled\":true}}}",
            1,
            &["\"disabled\":true"],
        ),
        (
            "opencode.json",
            "{\"mcp\": {\"o\": {\"type\": \"local\", \"command\": [\"bun\", \"x\"]}, \"r\": {\"type\": \"remote\", \
             \"url\": \"https://x.example\", \"headers\": {\"A\": \"v\"}, \"enabled\": true}}}",
            2,
            &["\"type\":\"local\"", "\"environment\":{\"DOORWARD_MCP_HEADER_1\":\"v\"}"],
        ),
        (
            "openhands.json",
            "{\"mcpServers\":{\"h\":{\"url\":\"https://x.example/mcp\",\"transport\":\"streamable-http\"}}}",
            1,
            &["\"transport\":\"stdio\""],
        ),
        (
            "openhands.toml",
            "[core]\nx = 1\n[mcp]\nsse_servers = [\"http://127.0.0.1:9000/sse\", {url = \"https://x.example/sse\", \
             api_key = \"k\"}]\nshttp_servers = [\"https://y.example/mcp\"]\nstdio_servers = [{ name = \"h\", command = \
             \"uvx\", args = [\"h\"] }]\n",
            4,
            &["\"--bearer-from\", \"DOORWARD_MCP_TOKEN\"", "DOORWARD_MCP_TOKEN = \"k\"", "sse_servers = []"],
        ),
    ];

    #[test]
    fn files_are_wrapped_in_place_and_come_back_byte_for_byte() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state");
        let program = Path::new("/opt/doorward");
        for (name, text, more, held) in FILES {
            let file = dir.path().join(name);
            fs::write(&file, text).unwrap();
            let changed = wrap(&file, program, &state, false).unwrap();
            assert_eq!(changed.servers.len(), *more, "{name}: {changed:?}");
            let left: Vec<&str> = changed.left.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(left, if *name == ".claude.json" { vec!["own"] } else { vec![] }, "{name}");
            let wrapped = fs::read_to_string(&file).unwrap();
            assert!(wrapped.contains("\"mcp\"") && wrapped.contains("/opt/doorward"), "{wrapped}");
            for words in *held {
                assert!(wrapped.contains(words), "{name}: {words} in {wrapped}");
            }
            assert!(wrap(&file, program, &state, false).unwrap().servers.is_empty(), "not twice: {wrapped}");
            assert_eq!(unwrap(&file, &state).unwrap().servers.len(), *more, "{name}");
            assert_eq!(fs::read_to_string(&file).unwrap(), *text, "{name}");
        }
    }

    #[test]
    fn of_a_file_that_was_changed_meanwhile_only_our_words_are_taken_out() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state");
        for (name, text, more, _) in FILES {
            let file = dir.path().join(name);
            fs::write(&file, text).unwrap();
            wrap(&file, Path::new("/opt/doorward"), &state, false).unwrap();
            let changed = fs::read_to_string(&file).unwrap().replace("x.example", "changed.example");
            fs::write(&file, &changed).unwrap();
            assert_eq!(unwrap(&file, &state).unwrap().servers.len(), *more, "{name}");
            let now = fs::read_to_string(&file).unwrap();
            assert!(!now.to_lowercase().contains("doorward"), "{name}: {now}");
            // The same as if the agent's user had made the change before.
            let wanted = text.replace("x.example", "changed.example");
            let same = if Path::new(name).extension().unwrap() == "toml" {
                let plain = |text: &str| toml::from_str::<Value>(text).unwrap();
                plain(&now) == plain(&wanted)
            } else {
                let plain = |text: &str| serde_json::from_str::<Value>(&jsonc::blanked(text)).unwrap();
                let comments = |text: &str| jsonc::comments(text).map(str::to_owned).collect::<BTreeSet<_>>();
                plain(&now) == plain(&wanted) && comments(&now) == comments(&wanted)
            };
            assert!(same, "{name}: {now}");
        }
    }

    #[test]
    fn no_secret_comes_onto_a_command_line() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.json");
        let text = r#"{"mcpServers":{"a":{"url":"https://me:pass-1@x.example/mcp?key=key-2","headers":{"A":"Bearer token-3"}}}}"#;
        fs::write(&file, text).unwrap();
        wrap(&file, Path::new("/opt/doorward"), &dir.path().join("state"), true).unwrap();
        let wrapped: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        let args = wrapped["mcpServers"]["a"]["args"].to_string();
        for secret in ["pass-1", "key-2", "token-3"] {
            assert!(!args.contains(secret) && wrapped.to_string().contains(secret), "{secret}: {wrapped}");
        }
    }
}
