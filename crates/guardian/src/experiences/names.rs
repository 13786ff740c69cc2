//! Maps names of servers and built-in tools to names of experience files.

/// A file name for a server: lower case, dashes, ending in `-mcp`. For a server named just `mcp` the result isn't a
/// safe file name, as in openhands-sdk 1.58.
#[must_use]
pub fn from_server(server: &str) -> String {
    let name = server.trim().to_lowercase().replace([' ', '_'], "-");
    if name.ends_with("-mcp") {
        return name;
    }
    match name.strip_suffix("mcp") {
        Some(stem) => format!("{stem}-mcp"),
        None => format!("{name}-mcp"),
    }
}

/// Whether a name can't lead out of its folder: `[a-z0-9][a-z0-9-]*`.
#[must_use]
pub fn is_safe(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.bytes().next().is_some_and(plain) && name.bytes().all(|byte| plain(byte) || byte == b'-')
}

/// Files for an agent's declared servers and built-in tools: `terminal-mcp` first, no duplicates, no unsafe names.
#[must_use]
pub fn from_config<'c>(
    servers: impl IntoIterator<Item = &'c str>,
    tools: impl IntoIterator<Item = &'c str>,
) -> Vec<String> {
    let mut names = vec!["terminal-mcp".to_owned()];
    let declared = servers.into_iter().map(from_server).filter(|name| is_safe(name));
    let built_in = tools.into_iter().filter_map(of_tool).map(str::to_owned);
    for name in declared.chain(built_in) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The file for a built-in tool, by its snake-case or class name.
fn of_tool(tool: &str) -> Option<&'static str> {
    let plain: String = tool.chars().filter(|c| *c != '_').collect::<String>().to_lowercase();
    let plain = plain.strip_suffix("tool").unwrap_or(&plain);
    match plain {
        "fileeditor" | "planningfileeditor" => Some("filesystem-mcp"),
        "terminal" => Some("terminal-mcp"),
        "browsertoolset" | "browser" => Some("playwright-mcp"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_servers_name_becomes_a_files_name_and_never_a_path() {
        for (server, file, safe) in [
            ("filesystem", "filesystem-mcp", true),
            ("My Server", "my-server-mcp", true),
            ("fsmcp", "fs-mcp", true),
            ("x-mcp", "x-mcp", true),
            ("../../etc/passwd", "../../etc/passwd-mcp", false),
            ("", "-mcp", false),
        ] {
            assert_eq!((from_server(server).as_str(), is_safe(&from_server(server))), (file, safe));
        }
        assert_eq!(
            from_config(["../x", "Postgres", "postgres"], ["FileEditorTool", "BrowserToolSet", "y"]),
            ["terminal-mcp", "postgres-mcp", "filesystem-mcp", "playwright-mcp"]
        );
    }
}
