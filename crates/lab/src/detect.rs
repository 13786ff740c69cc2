//! Finds the MCP servers that this machine's agents are configured with and, on request, those that listen on its
//! loopback ports.
//!
//! One table has each agent's file and format; an unreadable file is reported. Of variables and headers only the
//! names are reported, never the values.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use doorward_net::{ClientLimits, FetchRequest, GuardConfig, GuardedClient, LiveGuard};
use serde::Serialize;
use serde_json::{Value, json};

use doorward::rooms::hooks::jsonc::blanked;

/// Location of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Home,
    Project,
    System,
}

/// Format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// JSON with comments allowed.
    Json,
    Toml,
}

/// The file and member in which each agent keeps its servers. Source: the agents' own references, autumn 2026.
const FILES: &[(&str, Place, &str, Form, &str)] = &[
    ("claude-code", Place::Home, ".claude.json", Form::Json, "mcpServers"),
    ("claude-code", Place::Home, ".claude/settings.json", Form::Json, "mcpServers"),
    ("claude-code", Place::Project, ".mcp.json", Form::Json, "mcpServers"),
    ("claude-code", Place::System, "/etc/claude-code/managed-mcp.json", Form::Json, "mcpServers"),
    ("claude-desktop", Place::Home, ".config/Claude/claude_desktop_config.json", Form::Json, "mcpServers"),
    ("codex", Place::Home, ".codex/config.toml", Form::Toml, "mcp_servers"),
    ("codex", Place::Project, ".codex/config.toml", Form::Toml, "mcp_servers"),
    ("cursor", Place::Home, ".cursor/mcp.json", Form::Json, "mcpServers"),
    ("cursor", Place::Project, ".cursor/mcp.json", Form::Json, "mcpServers"),
    ("gemini-cli", Place::Home, ".gemini/settings.json", Form::Json, "mcpServers"),
    ("gemini-cli", Place::Project, ".gemini/settings.json", Form::Json, "mcpServers"),
    ("copilot", Place::Home, ".copilot/mcp-config.json", Form::Json, "mcpServers"),
    ("copilot", Place::Home, ".config/Code/User/mcp.json", Form::Json, "servers"),
    ("copilot", Place::Project, ".vscode/mcp.json", Form::Json, "servers"),
    ("windsurf", Place::Home, ".codeium/windsurf/mcp_config.json", Form::Json, "mcpServers"),
    ("opencode", Place::Home, ".config/opencode/opencode.json", Form::Json, "mcp"),
    ("opencode", Place::Home, ".config/opencode/opencode.jsonc", Form::Json, "mcp"),
    ("opencode", Place::Project, "opencode.json", Form::Json, "mcp"),
    ("opencode", Place::Project, "opencode.jsonc", Form::Json, "mcp"),
    ("openhands", Place::Home, ".openhands/mcp.json", Form::Json, "mcpServers"),
    ("openhands", Place::Home, ".openhands/config.toml", Form::Toml, "mcp"),
    ("openhands", Place::Project, "config.toml", Form::Toml, "mcp"),
    ("zed", Place::Home, ".config/zed/settings.json", Form::Json, "context_servers"),
    ("zed", Place::Project, ".zed/settings.json", Form::Json, "context_servers"),
];

/// Largest file read, in bytes.
const LARGEST: u64 = 16 << 20;

/// A server in an agent's configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Declared {
    /// The agent.
    pub agent: String,
    /// Its name in the configuration.
    pub name: String,
    /// The file.
    pub file: PathBuf,
    /// Program and arguments, if the agent starts it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Address, if it is already running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Names of the variables and headers that it gets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// Disabled in the file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub off: bool,
}

impl Declared {
    /// The command line, quoted for a shell.
    #[must_use]
    pub fn command_line(&self) -> Option<String> {
        let plain = |word: &str| {
            !word.is_empty()
                && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./=:,+@%".contains(&byte))
        };
        let quoted = |word: &String| {
            if plain(word) { word.clone() } else { format!("'{}'", word.replace('\'', r"'\''")) }
        };
        (!self.command.is_empty()).then(|| self.command.iter().map(quoted).collect::<Vec<_>>().join(" "))
    }
}

/// Result of the search.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Found {
    /// Servers in configuration files.
    pub declared: Vec<Declared>,
    /// Servers that answered on loopback.
    pub listening: Vec<FoundServer>,
    /// Existing files that couldn't be read, with the reason.
    pub problems: Vec<String>,
}

/// A server on a loopback port.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoundServer {
    /// Its URL.
    pub url: String,
    /// Its own name, reduced to plain characters.
    pub name: String,
}

/// Reads the agents' files in a home folder and a project.
#[must_use]
pub fn declared(home: Option<&Path>, project: Option<&Path>) -> Found {
    let mut found = Found::default();
    for (agent, place, file, form, member) in FILES {
        let path = match place {
            Place::Home => home.map(|home| home.join(file)),
            Place::Project => project.map(|project| project.join(file)),
            Place::System => Some(PathBuf::from(file)),
        };
        let Some(path) = path else { continue };
        let told = |problem: &str| format!("{}: {problem}", path.display());
        let text = match read(&path) {
            Ok(Some(text)) => text,
            Ok(None) => continue,
            Err(error) => {
                found.problems.push(told(&error.to_string()));
                continue;
            }
        };
        let value = match form {
            Form::Json => serde_json::from_str::<Value>(&blanked(&text)).map_err(|error| error.to_string()),
            Form::Toml => toml::from_str::<Value>(&text).map_err(|error| error.message().to_owned()),
        };
        match value {
            Ok(value) => found.declared.extend(servers(agent, &path, &value, member)),
            Err(error) => found.problems.push(told(&error)),
        }
    }
    found
}

fn read(path: &Path) -> std::io::Result<Option<String>> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.len() > LARGEST => Err(std::io::Error::other("larger than a settings file")),
        Ok(metadata) if metadata.is_file() => std::fs::read_to_string(path).map(Some),
        Ok(_) => Ok(None),
        Err(error)
            if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn servers(agent: &str, file: &Path, value: &Value, member: &str) -> Vec<Declared> {
    let one = |name: &str, entry: &Value| declared_one(agent, file, name, entry);
    let mut found: Vec<Declared> = match value.get(member) {
        // OpenHands keeps lists under `[mcp]`.
        Some(Value::Object(lists)) if agent == "openhands" && member == "mcp" => lists
            .iter()
            .filter(|(kind, _)| kind.ends_with("_servers"))
            .filter_map(|(_, list)| list.as_array())
            .flatten()
            .filter_map(|entry| match entry {
                Value::String(url) => one(url, &json!({"url": url})),
                entry => {
                    let name = entry.get("name").or_else(|| entry.get("url")).and_then(Value::as_str);
                    one(name.unwrap_or("server"), entry)
                }
            })
            .collect(),
        Some(Value::Object(members)) => members.iter().filter_map(|(name, entry)| one(name, entry)).collect(),
        _ => Vec::new(),
    };
    // Claude Code keeps those of single projects in the same file.
    if let Some(Value::Object(projects)) = value.get("projects") {
        let inside = projects.values().filter_map(|project| project.get(member)?.as_object());
        found.extend(inside.flatten().filter_map(|(name, entry)| one(name, entry)));
    }
    found
}

fn declared_one(agent: &str, file: &Path, name: &str, entry: &Value) -> Option<Declared> {
    let text = |names: &[&str]| names.iter().find_map(|name| entry.get(*name)?.as_str()).map(str::to_owned);
    let words = |name: &str| -> Vec<String> {
        let list = entry.get(name).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let mut command: Vec<String> = match entry.get("command") {
        Some(Value::String(program)) => vec![program.clone()],
        Some(Value::Array(_)) => words("command"),
        _ => Vec::new(),
    };
    if !command.is_empty() {
        command.extend(words("args"));
    }
    let url = text(&["url", "httpUrl", "serverUrl"]);
    if command.is_empty() && url.is_none() {
        return None;
    }
    let given = ["env", "environment", "headers", "http_headers"]
        .iter()
        .filter_map(|member| entry.get(*member)?.as_object())
        .flat_map(|members| members.keys().cloned())
        .collect();
    let off = entry.get("disabled") == Some(&json!(true)) || entry.get("enabled") == Some(&json!(false));
    Some(Declared {
        agent: agent.to_owned(),
        name: name.to_owned(),
        file: file.to_owned(),
        command,
        url,
        given,
        off,
    })
}

/// Ports usually used by local servers.
pub const PORTS: std::ops::RangeInclusive<u16> = 8000..=10_000;
/// Paths at which a server may answer.
const PATHS: &[&str] = &["/mcp", "/"];
const CONNECT: Duration = Duration::from_millis(500);
const AT_ONCE: usize = 64;

/// Sends an MCP initialisation to the loopback ports of this machine, and to no other host.
pub async fn listening(ports: impl IntoIterator<Item = u16>) -> Vec<FoundServer> {
    let seats = Arc::new(tokio::sync::Semaphore::new(AT_ONCE));
    let mut tasks = Vec::new();
    for port in ports {
        let seats = Arc::clone(&seats);
        tasks.push(tokio::spawn(async move {
            let _seat = seats.acquire().await.ok()?;
            let open =
                tokio::time::timeout(CONNECT, tokio::net::TcpStream::connect(("127.0.0.1", port))).await;
            open.ok()?.ok()?;
            greet(port).await
        }));
    }
    let mut found = Vec::new();
    for task in tasks {
        if let Ok(Some(server)) = task.await {
            found.push(server);
        }
    }
    found
}

async fn greet(port: u16) -> Option<FoundServer> {
    let config = GuardConfig {
        allowed_hosts: vec![format!("127.0.0.1:{port}")],
        max_redirects: 0,
        ..GuardConfig::default()
    };
    let limits = ClientLimits { total: Duration::from_secs(3), connect: CONNECT, body: 1 << 20 };
    let client = GuardedClient::new(Arc::new(LiveGuard::from_config(config))).ok()?.with_limits(limits);
    for path in PATHS {
        let url = format!("http://127.0.0.1:{port}{path}");
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "doorward-lab", "version": env!("CARGO_PKG_VERSION")}}});
        let request = FetchRequest {
            method: "POST".to_owned(),
            url: url.clone(),
            headers: vec![
                ("content-type".to_owned(), "application/json".to_owned()),
                ("accept".to_owned(), "application/json, text/event-stream".to_owned()),
            ],
            body: hello.to_string().into_bytes(),
        };
        let Ok(response) = client.clone().fetch(request).await else { continue };
        if let Some(name) = server_name(&response.body) {
            return Some(FoundServer { url, name });
        }
    }
    None
}

/// The server's name in an answer, plain or as an event stream.
fn server_name(body: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(body).ok()?;
    let lines = std::iter::once(text).chain(text.lines().filter_map(|line| line.strip_prefix("data:")));
    let name = lines
        .filter_map(|text| serde_json::from_str::<Value>(text.trim()).ok())
        .find_map(|value| Some(value.pointer("/result/serverInfo/name")?.as_str()?.to_owned()))?;
    Some(plain_name(&name))
}

/// A name reduced to plain characters, others replaced by `_`, so that a server can't insert text into a rule.
#[must_use]
pub fn plain_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '_' };
    name.chars().take(64).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agents_file_is_read_in_its_own_shape_and_no_value_of_a_variable_is_kept() {
        let home = tempfile::tempdir().unwrap();
        let project = tempfile::tempdir().unwrap();
        let put = |below: &Path, file: &str, text: &str| {
            let path = below.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put(
            home.path(),
            ".claude.json",
            r#"{"mcpServers": {"fs": {"command": "node", "args": ["a b.js", "/w"],
            "env": {"TOKEN": "hidden-value"}}}, "projects": {"/p": {"mcpServers": {"git": {"command": "mcp-git"}}}}}"#,
        );
        put(
            home.path(),
            ".codex/config.toml",
            "[mcp_servers.docs]\nurl = \"https://docs.example/mcp\"\nhttp_headers = { Authorization = \
             \"hidden-value\" }\n[mcp_servers.old]\ncommand = \"x\"\nenabled = false\n",
        );
        put(
            home.path(),
            ".cursor/mcp.json",
            "{\n // mine\n \"mcpServers\": {\"c\": {\"url\": \"http://127.0.0.1:8123/mcp\",},},\n}",
        );
        put(
            home.path(),
            ".config/opencode/opencode.json",
            r#"{"mcp": {"o": {"type": "local", "command": ["bun", "x"], "environment": {"K": "hidden-value"}}}}"#,
        );
        put(
            home.path(),
            ".openhands/config.toml",
            "[mcp]\nsse_servers = [\"http://127.0.0.1:9000/sse\"]\nstdio_servers = [{ name = \"h\", command = \
             \"uvx\", args = [\"h\"] }]\n",
        );
        put(home.path(), ".gemini/settings.json", "{ not json");
        put(project.path(), ".vscode/mcp.json", r#"{"servers": {"v": {"type": "stdio", "command": "v"}}}"#);
        let found = declared(Some(home.path()), Some(project.path()));
        let told: Vec<(&str, &str)> =
            found.declared.iter().map(|one| (one.agent.as_str(), one.name.as_str())).collect();
        assert_eq!(
            told,
            [
                ("claude-code", "fs"),
                ("claude-code", "git"),
                ("codex", "docs"),
                ("codex", "old"),
                ("cursor", "c"),
                ("copilot", "v"),
                ("opencode", "o"),
                ("openhands", "http://127.0.0.1:9000/sse"),
                ("openhands", "h"),
            ]
        );
        assert_eq!(found.declared[0].command_line().unwrap(), "node 'a b.js' /w");
        assert!(found.declared[3].off && found.declared[2].given == ["Authorization"]);
        assert_eq!(found.problems.len(), 1, "a broken file is told: {:?}", found.problems);
        assert!(!serde_json::to_string(&found).unwrap().contains("hidden-value"));
    }

    #[test]
    fn comments_go_and_texts_stay() {
        let text = "{\"a\": \"http://x // y\", /* b */ \"c\": [1, 2,], // d\n \"e\": \"\\\"//\"}";
        let value: Value = serde_json::from_str(&blanked(text)).unwrap();
        assert_eq!(value, json!({"a": "http://x // y", "c": [1, 2], "e": "\"//"}));
    }

    #[test]
    fn a_listening_server_tells_its_name_and_another_one_is_none() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let port = listener.local_addr().unwrap().port();
            let answer = "event: message\ndata: \
                {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"serverInfo\":{\"name\":\"My Server\\n../x\"}}}\n\n";
            tokio::spawn(async move {
                use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
                while let Ok((mut stream, _)) = listener.accept().await {
                    let mut part = [0; 4096];
                    let _ = stream.read(&mut part).await;
                    let head = format!("HTTP/1.1 200 x\r\ncontent-type: text/event-stream\r\ncontent-length: \
                        {}\r\nconnection: close\r\n\r\n{answer}", answer.len());
                    let _ = stream.write_all(head.as_bytes()).await;
                }
            });
            let found = listening([port]).await;
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!(found[0].name, "My_Server_.._x");
        });
        assert_eq!(server_name(b"<html>"), None);
    }
}
