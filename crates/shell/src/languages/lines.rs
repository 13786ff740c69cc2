//! Languages whose unit is the line.

use doorward_core::intent::WriteMode;

use super::{CodeEffects, Value};

/// The command of every crontab line.
pub(super) fn crontab(effects: &mut CodeEffects, text: &str) {
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let skip = if line.starts_with('@') { 1 } else { 5 };
        let command: Vec<&str> = line.split_ascii_whitespace().skip(skip).collect();
        if !command.is_empty() {
            effects.shell(&Value::literal(command.join(" ")));
        }
    }
}

/// The recipe lines of a makefile, and what its variables run.
pub(super) fn make(effects: &mut CodeEffects, text: &str) {
    let joined = text.replace("\\\n", " ");
    for line in joined.lines() {
        if let Some(recipe) = line.strip_prefix('\t').or_else(|| {
            line.split_once(':').and_then(|(_, rest)| rest.split_once(';').map(|(_, recipe)| recipe))
        }) {
            let recipe = recipe.trim_start_matches(['@', '-', '+', ' ']);
            if !recipe.is_empty() {
                effects.shell(&Value::literal(recipe));
            }
        } else if let Some((_, command)) = line.split_once("!=") {
            effects.shell(&Value::literal(command.trim()));
        }
        for part in line.split("$(shell ").skip(1) {
            effects.shell(&Value::literal(part.split(')').next().unwrap_or_default()));
        }
    }
}

/// The settings of a downloader, as the options they stand for (curl(1), `--config`; wget(1), `wgetrc`).
pub(super) fn transfer(effects: &mut CodeEffects, text: &str, program: &str) {
    let mut words = vec![Value::literal(program)];
    let mut named = false;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, value) = line
            .split_once(['=', ':', ' '])
            .map_or((line, ""), |(name, value)| (name.trim(), value.trim_start_matches(['=', ' ']).trim()));
        let name = name.trim_start_matches('-').replace('_', "-");
        let value = value.trim_matches('"');
        if name == "url" {
            named = true;
            words.push(Value::literal(value));
            continue;
        }
        words.push(Value::literal(if name.len() == 1 { format!("-{name}") } else { format!("--{name}") }));
        if !value.is_empty() && !matches!(value, "on" | "off") {
            words.push(Value::literal(value));
        }
    }
    if !named {
        // The host is on the command line.
        words.push(Value::unknown());
    }
    effects.argv(&words);
}

/// dc(1): `!` runs the rest of its line, unless a comparison follows.
pub(super) fn dc(effects: &mut CodeEffects, text: &str) {
    for line in text.lines() {
        let mut rest = line;
        while let Some((_, after)) = rest.split_once('!') {
            if !after.starts_with(['<', '>', '=']) {
                effects.shell(&Value::literal(after.trim()));
                break;
            }
            rest = after;
        }
    }
    effects.effect_free = !text.contains('…');
}

/// What a file transfer client is told, one command a line.
pub(super) fn ftp(effects: &mut CodeEffects, text: &str) {
    // `!` takes the rest of its line, separators and all.
    let (shells, lines): (Vec<&str>, Vec<&str>) =
        text.lines().map(str::trim).partition(|line| line.starts_with('!'));
    for command in shells {
        effects.shell(&Value::literal(command.trim_start_matches('!').trim()));
    }
    for line in lines.into_iter().flat_map(|line| line.split(';')).map(str::trim) {
        if let Some(command) = line.strip_prefix('!') {
            effects.shell(&Value::literal(command.trim()));
            continue;
        }
        let mut words = line.split_ascii_whitespace();
        match words.next().map(str::to_ascii_lowercase).as_deref() {
            Some("put" | "mput" | "send" | "append" | "reput" | "mirror") => {
                words.filter(|word| !word.starts_with('-')).take(16).for_each(|file| {
                    effects.read(&Value::literal(file));
                });
                effects.host(&Value::unknown(), "ftp", doorward_core::intent::Direction::Send);
            }
            Some("rm" | "mrm" | "delete" | "mdelete" | "rmdir") => {
                effects.finding("shell.data_loss", "deletes on the server");
            }
            _ => {}
        }
    }
}

/// Tasks written as data (a playbook, a task file): what reads as a command line in it.
pub(super) fn recipe(effects: &mut CodeEffects, text: &str) {
    for line in text.lines().take(4096) {
        for part in line
            .split(['"', '\'', '{', '}', '[', ']'])
            .flat_map(|part| part.split(": "))
            .flat_map(|part| part.split(" = "))
        {
            let part = part.trim().trim_start_matches("- ").trim_end_matches(',');
            if super::literals::is_command_line(part) {
                effects.shell(&Value::literal(part));
            }
        }
    }
}

/// What an interactive client of a database or an interpreter is fed: lines that hand the rest to a shell.
pub(super) fn console(effects: &mut CodeEffects, text: &str) {
    for line in text.lines().map(str::trim) {
        let shell = [
            "!!", ":!", "~!", "\\!", "!", "sh X ", "host ", "HOST ", "shell ", "SHELL ", ".shell ",
            ".system ",
        ]
        .iter()
        .find_map(|start| line.strip_prefix(start));
        if let Some(command) = shell {
            effects.shell(&Value::literal(command.trim().trim_end_matches(';')));
        }
    }
    super::unread(effects, text);
}

/// A file of options, one a line, that a program reads before its own.
pub(super) fn options_of(effects: &mut CodeEffects, text: &str, program: &str) {
    let options = text.lines().map(str::trim).filter(|line| line.starts_with('-'));
    let words: Vec<Value> = std::iter::once(program).chain(options).map(Value::literal).collect();
    effects.argv(&words);
}

/// Directives of a web server that load native code (nginx, `load_module`; Apache, `LoadModule`).
pub(super) fn modules(effects: &mut CodeEffects, text: &str) {
    for line in text.split(['\n', ';']).map(str::trim) {
        let mut words = line.split_ascii_whitespace();
        let loads = matches!(words.next(), Some("load_module" | "LoadModule" | "LoadFile"));
        let Some(file) = words.last().filter(|_| loads) else { continue };
        let installed = ["/usr/lib", "modules/", "/etc/", "libexec/"].iter().any(|own| file.starts_with(own));
        effects.file(&Value::literal(file), doorward_core::intent::Code::None);
        if !installed {
            effects.finding("shell.obfuscated", "loads native code into a server");
        }
    }
}

/// External commands of Nushell (`^rm x`) and Elvish (`e:rm x`), up to the end of their pipeline's part.
pub(super) fn externals(effects: &mut CodeEffects, text: &str) {
    for part in text.split([';', '|', '{', '}', '(', ')', '\n']) {
        let part = part.trim();
        let command = part.strip_prefix('^').or_else(|| part.strip_prefix("e:"));
        if let Some(command) = command.filter(|command| !command.is_empty()) {
            effects.shell(&Value::literal(command));
        }
    }
}

/// Lines that begin with `!`: shell text (IPython, gnuplot). Returns the text without them, but for those that are code
/// of the language, as pdb takes them.
pub(super) fn bangs(effects: &mut CodeEffects, text: &str) -> String {
    let mut rest = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.trim_start().strip_prefix('!') {
            Some(command) => {
                effects.shell(&Value::literal(command.trim_start_matches('!').trim_end()));
                if super::code::parses(&effects.language, command) {
                    rest.push_str(command);
                }
            }
            None => rest.push_str(line),
        }
    }
    rest
}

/// Text languages with a way out to the shell: `syscmd(…)` of m4(1), `.sy` of groff(7), `\write18{…}` of TeX,
/// `%pipe%` of Ghostscript; and the files they read in.
pub(super) fn escapes(effects: &mut CodeEffects, text: &str, language: &str) {
    let (starts, ends): (&[&str], &[char]) = match language {
        "m4" => (&["syscmd(", "esyscmd("], &[')']),
        "roff" => (&[".sy ", ".pso ", "'sy ", "'pso "], &['\n']),
        "tex" => {
            (&["write18{", "ShellEscape{", "input{|", "input|", "io.popen(", "os.execute("], &['}', ')'])
        }
        _ => (&["%pipe%"], &[')']),
    };
    for start in starts {
        for rest in text.split(start).skip(1) {
            let command = rest.split(ends).next().unwrap_or_default();
            effects.shell(&Value::literal(command.trim_matches(['`', '\'', '"', ' '])));
        }
    }
    let (reads, ends): (&[&str], &[char]) = match language {
        "m4" => (&["include(", "sinclude(", "undivert("], &[')']),
        "roff" => (&[".so ", ".mso "], &['\n']),
        "tex" => (&["\\input{", "\\include{", "\\verbatiminput{", "\\lstinputlisting{"], &['}']),
        _ => (&[], &[]),
    };
    for start in reads {
        for rest in text.split(start).skip(1) {
            let path = rest.split(ends).next().unwrap_or_default();
            effects.read(&Value::literal(path.trim_matches(['`', '\'', '"', ' '])));
        }
    }
}

/// The last word behind one of these commands of an editor; `!` makes it sure.
fn behind<'l>(line: &'l str, commands: &[&str]) -> Option<&'l str> {
    let rest = commands.iter().find_map(|command| {
        let rest = line.strip_prefix(command)?;
        rest.strip_prefix('!').unwrap_or(rest).strip_prefix(' ')
    })?;
    rest.split_ascii_whitespace().next_back()
}

/// What is in front of a command line in a script of an editor or debugger.
const SHELLS: &[&str] = &[
    "!",
    "silent !",
    "shell ",
    "shel ",
    "she ",
    "platform shell ",
    "r !",
    "r!",
    "w !",
    "e !",
    "pipe ",
    "system ",
];

/// Editor and debugger scripts: `!text` runs a shell, `w file` writes, `source file` runs it.
pub(super) fn editor(effects: &mut CodeEffects, text: &str) {
    for raw in text.split(['\n', '\r']) {
        let sources = ["source ", "so ", "runtime "]
            .iter()
            .any(|verb| raw.trim_start_matches([':', ' ']).starts_with(verb));
        if sources && raw.contains("://") {
            effects.finding("shell.remote_code", "loads code from an address");
        }
        let line = raw
            .trim_start_matches([':', ' ', '%', ','])
            .trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '$');
        if let Some(file) = line.strip_prefix("set logging file ") {
            effects.write(&Value::literal(file.trim()), WriteMode::Append);
            continue;
        }
        let shell = SHELLS.iter().find_map(|prefix| line.strip_prefix(prefix));
        if let Some(shell) = shell {
            effects.shell(&Value::literal(shell));
        } else if let Some(file) = behind(line, &["w", "W", "wq", "write", "sav", "saveas", "update"]) {
            effects.write(&Value::literal(file), WriteMode::Create);
        } else if let Some(file) =
            behind(line, &["source", "so", "luafile", "pyfile", "py3file", "command script import"])
        {
            let language = match effects.language.as_str() {
                _ if file.ends_with(".py") => "python",
                _ if file.ends_with(".lua") => "lua",
                own => own,
            };
            let code = doorward_core::intent::Code::Language(language.to_owned());
            effects.file(&Value::literal(file), code);
        } else if let Some(file) = line.strip_prefix("r ").or_else(|| line.strip_prefix("e ")) {
            effects.read(&Value::literal(file.trim()));
        } else if let Some(code) = line.strip_prefix("python ").or_else(|| line.strip_prefix("py3 ")) {
            effects.nested("python", &Value::literal(code));
        } else if line == "d" && raw.trim_start_matches([':', ' ']).starts_with(['%', ','])
            || raw.trim() == "1,$d"
            || raw.trim() == "0,$d"
        {
            effects.finding("shell.delete", "deletes every line of what is edited");
        } else if line.contains("system(") {
            effects.finding("shell.obfuscated", "an editor command that can run a shell");
        }
    }
}
