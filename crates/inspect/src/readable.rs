//! What a file that a program picks up says to run, as code that the analysis reads: build files, settings and
//! notebooks in formats of their own.

use doorward_core::json::Value;

/// What a file's text says in its format: the language, and the text. `None` where it can't be read and does more than
/// settings do.
pub(crate) fn readable(language: &str, text: &str) -> Option<(String, String)> {
    let as_is = |language: &str| Some((language.to_owned(), text.to_owned()));
    match language {
        "ant" => ant(text),
        "maven" => maven(text),
        "msbuild" => msbuild(text),
        "dune" => Some(("dune".to_owned(), text.replace("(system", "system(").replace("(run ", "system("))),
        // `//go:generate COMMAND` runs beside the code.
        "go" => {
            let lines: Vec<&str> =
                text.lines().filter_map(|line| line.strip_prefix("//go:generate ")).collect();
            let commands: String = lines.iter().map(|line| format!("system({line:?})\n")).collect();
            Some(("go".to_owned(), format!("{text}\nfunc init() {{\n{commands}}}\n")))
        }
        "notebook" => Some(("python".to_owned(), notebook(text)?)),
        "recipe" => Some(("recipe".to_owned(), joined_lists(text))),
        // Cargo puts the path of the package's own program in.
        "rust" => Some(("rust".to_owned(), text.replace("env!(\"CARGO_BIN_EXE_", "(\"./target/debug/"))),
        other => as_is(other),
    }
}

/// What Maven's plug-ins run from the build file: the commands of exec and antrun, as shell text. `None` where a
/// plug-in runs a script, or a program whose arguments stand elsewhere (Maven's exec, antrun, GMaven and frontend
/// plug-ins).
fn maven(text: &str) -> Option<(String, String)> {
    const SCRIPTS: &[&str] = &["gmaven", "groovy-maven", "frontend-maven", "scripting-maven"];
    if SCRIPTS.iter().any(|name| text.contains(name)) {
        return None;
    }
    if !["exec-maven-plugin", "antrun"].iter().any(|name| text.contains(name)) {
        return Some(("recipe".to_owned(), text.to_owned()));
    }
    tasks(text)
}

/// What Ant's tasks run and delete. `None` where one is a script, or loads more (the manual of Ant 1.10).
fn ant(text: &str) -> Option<(String, String)> {
    const MORE: &[&str] = &["<script", "<java", "<taskdef", "<import", "<ant "];
    if MORE.iter().any(|name| text.contains(name)) { None } else { tasks(text) }
}

/// What MSBuild's tasks run and delete. `None` where one is code inside the file (MSBuild's reference of tasks).
fn msbuild(text: &str) -> Option<(String, String)> {
    if text.contains("CodeTaskFactory") {
        return None;
    }
    // `$(OutDir)` is a value that the build sets.
    let mut parts = text.split("$(");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(')').unwrap_or((part, ""));
        text.push_str(&format!("${{{}}}{rest}", name.replace(|letter: char| !letter.is_alphanumeric(), "_")));
    }
    let mut commands: Vec<String> = Vec::new();
    for tag in text.split('<').skip(1).filter_map(|tag| tag.split('>').next()) {
        let attribute =
            |name: &str| tag.split_once(&format!("{name}=\"")).and_then(|(_, rest)| rest.split('"').next());
        let paths = |name: &str| attribute(name).into_iter().flat_map(|list| list.split(';'));
        match tag.split_whitespace().next().unwrap_or_default() {
            "Exec" => commands.extend(attribute("Command").map(plain)),
            "RemoveDir" => {
                commands.extend(paths("Directories").map(|path| format!("rm -rf {}", quoted(path))))
            }
            "Delete" => commands.extend(paths("Files").map(|path| format!("rm -f {}", quoted(path)))),
            _ => {}
        }
    }
    Some(("shell".to_owned(), commands.join("\n")))
}

/// The commands of exec and delete, as shell text.
fn tasks(text: &str) -> Option<(String, String)> {
    let mut commands: Vec<String> = Vec::new();
    for tag in text.split('<').skip(1) {
        let (tag, content) = tag.split_once('>').unwrap_or((tag, ""));
        let (name, content) = (tag.split_whitespace().next().unwrap_or_default(), content.trim());
        let attribute =
            |name: &str| tag.split_once(&format!("{name}=\"")).and_then(|(_, rest)| rest.split('"').next());
        match name {
            "executable" => commands.push(quoted(content)),
            "exec" => commands.push(attribute("executable").map(quoted).unwrap_or_default()),
            "delete" => {
                let paths = ["dir", "file"].iter().filter_map(|name| attribute(name));
                commands.extend(paths.map(|path| format!("rm -rf {}", quoted(path))));
            }
            "argument" | "arg" | "commandlineArgs" | "commandLineArgs" => {
                let words = attribute("line").map(str::to_owned).or_else(|| attribute("value").map(quoted));
                let words = words.unwrap_or_else(|| match name {
                    "argument" => quoted(content),
                    _ => content.to_owned(),
                });
                if let Some(command) = commands.last_mut() {
                    command.push(' ');
                    command.push_str(&words);
                }
            }
            _ => {}
        }
    }
    let are_whole = commands.iter().all(|command| command.contains(' '));
    are_whole.then(|| ("shell".to_owned(), commands.join("\n")))
}

/// A word of shell text; the properties of a build file (`${project.basedir}`) stay unknown.
fn quoted(word: &str) -> String {
    let word = plain(word);
    let mut parts = word.split("${");
    let mut out = in_quotes(parts.next().unwrap_or_default());
    for part in parts {
        let (_, rest) = part.split_once('}').unwrap_or(("", part));
        out.push_str("\"$PROPERTY\"");
        out.push_str(&in_quotes(rest));
    }
    out
}

/// A text without the entities of XML.
fn plain(word: &str) -> String {
    word.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

fn in_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The code of a notebook's cells, one after the other (nbformat 4.5). A line that begins with `!` or a cell of the
/// shell (`%%bash`) is given to the shell.
fn notebook(text: &str) -> Option<String> {
    let notebook = Value::parse(text).ok()?;
    let Value::Array(cells) = notebook.get("cells")? else { return None };
    let is_code = |cell: &&Value| cell.get("cell_type").and_then(Value::as_str) == Some("code");
    let mut code = String::new();
    for cell in cells.iter().filter(is_code) {
        let source = match cell.get("source")? {
            Value::Array(lines) => lines.iter().filter_map(Value::as_str).collect(),
            source => source.as_str()?.to_owned(),
        };
        match source.trim_start().split_once('\n') {
            Some(("%%bash" | "%%sh", script)) => code.push_str(&run_by_shell("", script)),
            _ => source.lines().for_each(|line| code.push_str(&cell_line(line))),
        }
    }
    Some(code)
}

fn run_by_shell(indent: &str, command: &str) -> String {
    format!("{indent}__import__('os').system({command:?})\n")
}

/// A line of a cell as Python: `!CMD` and `%sx CMD` run a command, other magics set IPython up.
fn cell_line(line: &str) -> String {
    let bare = line.trim_start();
    let indent = line.strip_suffix(bare).unwrap_or_default();
    match bare.strip_prefix('!').or_else(|| bare.strip_prefix("%sx ")) {
        Some(command) => run_by_shell(indent, command.trim_start_matches('!')),
        None if bare.starts_with('%') => format!("{indent}pass\n"),
        None => format!("{line}\n"),
    }
}

/// `["rm", "-rf", "src"]` as one command line.
fn joined_lists(text: &str) -> String {
    let mut out = text.to_owned();
    for list in text.split('[').skip(1).filter_map(|rest| rest.split(']').next()) {
        let words: Vec<&str> = list.split(',').map(|word| word.trim().trim_matches(['"', '\''])).collect();
        if words.len() > 1 && words.iter().all(|word| !word.is_empty() && !word.contains('\n')) {
            out.push('\n');
            out.push_str(&words.join(" "));
        }
    }
    out
}

/// What a compose file hands to containers: folders of the machine, its socket, its privilege. Source: the Compose
/// specification, chapters services and volumes.
pub(crate) fn compose(text: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let switches = [
        "privileged: true",
        "network_mode: host",
        "pid: host",
        "ipc: host",
        "userns_mode: host",
        "cap_add",
        "docker.sock",
        "/dev/",
    ];
    for line in text.lines() {
        let line = line.trim().trim_start_matches("- ");
        if let Some(switch) = switches.iter().find(|switch| line.replace('"', "").contains(**switch)) {
            found.push(("shell.privilege", format!("a container gets `{switch}` of this machine")));
        }
        for part in line.split(['[', ']', ',', '"', '\'']) {
            let part = part.trim().trim_start_matches("source: ");
            let source = part.split(':').next().unwrap_or_default();
            let outside =
                source == "/" || source.starts_with(['/', '~']) && (part.contains(":/") || part != line);
            let harmless = ["/etc/localtime", "/etc/timezone"].contains(&source);
            if outside && !harmless && !source.contains(' ') {
                found.push((
                    "shell.privilege",
                    format!("a container gets the folder {source} of this machine"),
                ));
            }
        }
    }
    found
}

/// What settings of Hugo hand over to the templates of a site: which programs these may run (gohugo.io, security
/// policy).
pub(crate) fn hugo(text: &str) -> Vec<(&'static str, String)> {
    let plain = text.replace(['"', '\''], "");
    let Some((_, section)) = plain.split_once("exec") else { return Vec::new() };
    let Some((_, list)) = section.split_once("allow") else { return Vec::new() };
    // In brackets, or one a line behind a dash.
    let entries: Vec<&str> = match list.split_once('[').filter(|(sign, _)| sign.trim().len() == 1) {
        Some((_, list)) => list.split(']').next().unwrap_or_default().split(',').map(str::trim).collect(),
        None => list.lines().skip(1).map_while(|line| line.trim().strip_prefix("- ")).collect(),
    };
    let open = entries.into_iter().find(|entry| may_be_a_shell(entry));
    let message = |entry| format!("lets the site's templates run programs that fit `{entry}`");
    open.map(|entry| ("shell.generated_code", message(entry))).into_iter().collect()
}

/// Whether a pattern of names fits a shell or an interpreter.
fn may_be_a_shell(pattern: &str) -> bool {
    const NAMES: &[&str] = &["bash", "dash", "node", "perl", "php", "python", "python3", "ruby", "sh", "zsh"];
    let exact = pattern.strip_prefix('^').and_then(|rest| rest.strip_suffix('$'));
    match exact.filter(|name| !name.contains(['*', '+', '[', '.'])) {
        Some(name) => NAMES.iter().any(|own| name.split(['|', '(', ')']).any(|part| part == *own)),
        None => {
            !pattern.is_empty() && pattern.contains(['*', '+', '[', '.', '^', '$'])
                || NAMES.contains(&pattern)
        }
    }
}
