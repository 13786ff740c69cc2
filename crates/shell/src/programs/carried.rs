//! Options and operands by which a program runs what it is given, shows a credential or changes the device it talks
//! to, for programs whose rows don't say so. Looked at for every program, beside its row. Sources: each program's
//! manual.

mod options;
mod ways;

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::deed::Word;

use super::call::Call;
use super::embedded;
use super::names::lists;
use super::word;
use options::{ArgumentUse, OPTIONS};
pub(super) use ways::note as note_ways;

/// Words that together show a credential: program, and what must stand among its words in this order.
const SHOWS: &[(&str, &[&str])] = &[
    ("nmcli", &["--show-secrets"]),
    ("nmcli", &["-s", "show"]),
    ("wg", &["show", "private-key"]),
    ("wg", &["show", "preshared-keys"]),
    ("wg", &["showconf"]),
    // Tools of hosting services that show or fetch what a program is given in its environment.
    ("vercel", &["env", "pull"]),
    ("netlify", &["env:list"]),
    ("netlify", &["env:get"]),
    ("railway", &["variables"]),
    ("doppler", &["secrets"]),
    ("infisical", &["export"]),
];

/// What typing for the person can do.
const TYPES: &str = "types or clicks for a person, an answer as well";

/// Words that together change a device, or what the desktop runs later, or that act in the place of the person:
/// program, words, code, and why.
const CHANGES: &[(&str, &[&str], &str, &str)] = &[
    ("tmux", &["send-keys"], "shell.tamper", TYPES),
    ("tmux", &["send"], "shell.tamper", TYPES),
    ("tmux", &["paste-buffer"], "shell.tamper", TYPES),
    ("screen", &["-X", "stuff"], "shell.tamper", TYPES),
    ("screen", &["-X", "paste"], "shell.tamper", TYPES),
    ("kitty kitten", &["@", "send-text"], "shell.tamper", TYPES),
    ("kitty kitten", &["@", "send-key"], "shell.tamper", TYPES),
    ("wezterm", &["cli", "send-text"], "shell.tamper", TYPES),
    ("zellij", &["action", "write"], "shell.tamper", TYPES),
    ("zellij", &["action", "write-chars"], "shell.tamper", TYPES),
    ("xdotool ydotool wtype dotool cliclick xte", &[], "shell.tamper", TYPES),
    ("fastboot", &["-w"], "shell.data_loss", "erases what is on the device"),
    ("fastboot", &["erase"], "shell.data_loss", "erases what is on the device"),
    ("fastboot", &["format"], "shell.data_loss", "erases what is on the device"),
    ("fastboot", &["flashing", "unlock"], "shell.data_loss", "erases what is on the device"),
    ("influx", &["delete"], "shell.data_loss", "deletes what the database keeps"),
    ("trash-empty trash-rm rmtrash", &[], "shell.data_loss", "deletes what the trash keeps"),
    ("kioclient kioclient5 kioclient6", &["remove"], "shell.data_loss", "deletes files"),
    ("tccutil", &["reset"], "shell.tamper", "changes what programs are allowed to see"),
    ("syncthing", &["devices", "add"], "shell.upload", "shares folders with another machine"),
    ("csrutil", &["disable"], "shell.tamper", "switches a protection of the system off"),
    ("fdesetup", &["disable"], "shell.tamper", "switches the disk's encryption off"),
    ("sfltool", &["resetbtm"], "shell.tamper", "changes what starts with the system"),
    ("kwriteconfig5 kwriteconfig6", &["--key", "Exec"], "shell.persistence", "sets a command of the desktop"),
    ("xdg-mime", &["default"], "shell.persistence", "chooses what opens files of a kind"),
    ("xdg-settings", &["set"], "shell.persistence", "chooses what opens addresses"),
];

/// Ends of desktop settings that hold a command (dconf(1), gsettings(1)).
const DESKTOP_COMMANDS: &[&str] =
    &["command", "custom-command", "custom-keybindings", "exec", "exec-arg", "login-shell"];

/// Every program that a table above names.
static NAMED: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let options = OPTIONS.iter().map(|(programs, ..)| *programs);
    let shows = SHOWS.iter().map(|(programs, _)| *programs);
    let changes = CHANGES.iter().map(|(programs, ..)| *programs);
    options.chain(shows).chain(changes).flat_map(str::split_ascii_whitespace).collect()
});

/// Says what of this a call does.
pub(super) fn note(call: &mut Call<'_>) {
    let words = call.argv.words.get(1..).unwrap_or_default();
    let program = call.program.clone();
    // What no table names costs one look.
    let is_named = NAMED.contains(program.as_str());
    let is = |list: &str| is_named && lists(list, &program);
    for (_, options, given) in OPTIONS.iter().filter(|(programs, ..)| is(programs)) {
        for value in values(words, options) {
            run(call, *given, &value, words);
        }
    }
    let stands = |wanted: &[&str]| {
        let mut rest = words.iter();
        wanted.iter().all(|word| rest.any(|own| own.text == *word))
    };
    if SHOWS.iter().any(|(programs, wanted)| is(programs) && stands(wanted)) {
        call.secret(format!("{program} shows a credential"));
    }
    // `xdg-mime query default`, `trash-empty --help` change nothing.
    let asks = words.first().is_some_and(|word| {
        matches!(word.text.as_str(), "query" | "--help" | "--version") || word.text.starts_with("getmouse")
    });
    let changes = |row: &&(&str, &[&str], &str, &str)| is(row.0) && stands(row.1);
    for (_, _, code, why) in CHANGES.iter().filter(|row| !asks && changes(row)) {
        call.finding(code, format!("{program} {why}"));
    }
    // ioctl_tty(2): characters that are put into a terminal's input.
    let is_known = |word: &Word| word.text.contains("TIOCSTI");
    if call.nature != doorward_knowledge::row::Nature::Reads && words.iter().any(is_known) {
        call.finding("shell.tamper", format!("{program} {TYPES}"));
    }
    if program.starts_with("docker-credential-") && stands(&["get"]) {
        call.secret(format!("{program} shows a credential"));
    }
    embedded::note(call);
    match program.as_str() {
        "rustc" => {
            for setting in values(words, &["-C", "--codegen"]) {
                if let Some(linker) = word::after(&setting, "linker=") {
                    run(call, ArgumentUse::Program, &linker, &[]);
                }
            }
        }
        "arch" => {
            // Options, and then the command.
            if let Some(at) = words.iter().position(|word| !word.text.starts_with('-')) {
                call.run_argv(words.get(at..).unwrap_or_default().to_vec());
            }
        }
        "opam" | "libtool" | "glibtool"
            if stands(&["exec"]) || words.iter().any(|word| word.text == "--mode=execute") =>
        {
            let at = words.iter().position(|word| word.text == "--").or_else(|| {
                words.iter().position(|word| word.text == "--mode=execute" || word.text == "exec")
            });
            call.run_argv(words.get(at.map_or(words.len(), |at| at + 1)..).unwrap_or_default().to_vec());
        }
        "unrar" | "rar" => {
            let folder = words.last().filter(|last| words.len() > 2 && last.text.ends_with('/'));
            if let Some(folder) = folder.filter(|_| stands(&["x"]) || stands(&["e"])) {
                call.write(folder, doorward_core::intent::WriteMode::Create);
            }
        }
        "pg_basebackup" => {
            for target in values(words, &["-t", "--target"]) {
                if let Some(folder) = word::after(&target, "server:") {
                    call.write(&folder, doorward_core::intent::WriteMode::Create);
                }
            }
        }
        "open" | "automator" => {
            for file in words.iter().filter(|word| {
                [".command", ".app", ".workflow", ".scpt", ".terminal", ".tool"]
                    .iter()
                    .any(|ending| word.text.ends_with(ending))
            }) {
                call.run_file(file, "", Vec::new());
                if file.text.starts_with(['/', '~']) && !file.text.starts_with("/Applications/") {
                    call.finding("shell.obfuscated", format!("{program} starts what the file holds"));
                }
            }
        }
        "aria2c" if words.iter().any(|word| word.text == "--rpc-listen-all") => {
            call.listen("0.0.0.0", Some(6800), "http");
            call.finding("net.listen", "aria2c listens to every machine that reaches this one");
        }
        "sqlcmd" | "sqlplus" | "isql-fb" | "ghci" | "gst" | "iftop" | "fossil" | "kak" | "usql"
        | "guestfish" | "ispell" | "aspell" | "nethack" | "rogue" | "mail" | "mailx" | "s-nail" => {
            fed(call, "console");
        }
        "nroff" | "troff" | "groff" | "pic" | "tbl" | "eqn" => fed(call, "roff"),
        // Script-Fu is Scheme; the other interpreter is Python.
        "gimp" | "gimp-console" => {
            for code in values(words, &["-b", "--batch"]) {
                let language = if code.text.trim_start().starts_with('(') { "scheme" } else { "python" };
                run(call, ArgumentUse::Code(language), &code, words);
            }
        }
        "cmake" | "ctest" => definitions(call, words),
        "inkscape" => {
            for action in values(words, &["--actions"]).iter().flat_map(|list| word::split(list, ';')) {
                if let Some(file) = word::after(&action, "export-filename:") {
                    call.write(&file, doorward_core::intent::WriteMode::Create);
                }
            }
        }
        "terraform" | "tofu" if stands(&["console"]) => fed(call, "terraform"),
        "xmllint" => fed(call, "markup"),
        "soffice" | "libreoffice" if words.iter().any(|word| word.text.contains("host=0.0.0.0")) => {
            call.listen("0.0.0.0", None, "uno");
            call.finding("shell.obfuscated", "lets whoever connects control this program");
        }
        "chromium" | "google-chrome" | "chrome" | "brave"
            if words.iter().any(|word| word.text.ends_with("debugging-address=0.0.0.0")) =>
        {
            call.listen("0.0.0.0", None, "http");
            call.finding("shell.obfuscated", "lets whoever connects control this program");
        }
        "darcs" if stands(&["test"]) => {
            if let Some(text) = words.iter().skip(1).find(|word| word.text.contains(' ')) {
                call.run_shell(text.clone());
            }
        }
        "dconf" | "gsettings" if stands(&["write"]) || stands(&["set"]) => desktop(call, words),
        "rclone" => connection(call, words),
        "dvc" => stage(call, words),
        // `--config-option config:tunnels:NAME=COMMAND`, `config:helpers:editor-cmd=COMMAND`.
        "svn" | "svnadmin" | "svnsync" => {
            for setting in values(words, &["--config-option"]) {
                let runs = ["tunnels:", "helpers:"].iter().any(|part| setting.text.contains(part));
                if let Some((_, command)) = word::halves(&setting, '=').filter(|_| runs) {
                    run(call, ArgumentUse::Shell, &command, words);
                }
            }
        }
        "bsub" | "qsub" | "sbatch" => job(call, words),
        "mlr" | "miller" => redirects(call, words),
        "objcopy" | "llvm-objcopy" => {
            for file in values(words, &["--dump-section"]) {
                if let Some((_, file)) = word::halves(&file, '=') {
                    call.write(&file, doorward_core::intent::WriteMode::Create);
                }
            }
        }
        "ruby" => {
            // `-S NAME`: a program from the search path, most often a script of Ruby's own.
            if let Some(at) = words.iter().position(|word| word.text == "-S") {
                call.run_argv(words.get(at + 1..).unwrap_or_default().to_vec());
            }
        }
        "py.test" | "pytest" if words.iter().any(|word| word.text.starts_with("--pastebin")) => {
            call.finding("shell.upload", "sends the tests' output to a public site");
        }
        "salt-call" => exec_code(call, words),
        "java" | "javac" | "kotlin" | "scala" => {
            argument_files(call, words);
            super::environment::java_options(call, &program, words);
        }
        "sqlite3" => dot_commands(call, words),
        "gdbus" | "dbus-send" | "busctl" if words.iter().any(|word| word.text.contains("Screenshot")) => {
            call.finding("shell.sensing", format!("{program} takes a picture of the screen"));
        }
        "docker" | "nerdctl" | "podman"
            if stands(&["cp"]) && words.iter().any(|word| word.text.contains(":/run/secrets/")) =>
        {
            call.secret(format!("{program} copies a secret out of a container"));
        }
        _ => {}
    }
}

/// What arrives on standard input is read as this language, where the text is known. These programs are mostly fed
/// plain data, so that an unknown text isn't held against the call.
fn fed(call: &mut Call<'_>, language: &str) {
    if let crate::deed::Stdin::Known { text, span } = &call.argv.stdin {
        let word = Word::literal(text.clone(), *span);
        call.run_language(language, word);
    }
}

/// The values of these options.
fn values(words: &[Word], options: &[&str]) -> Vec<Word> {
    let mut found = Vec::new();
    for (at, own) in words.iter().enumerate() {
        if options.contains(&own.text.as_str()) {
            found.extend(words.get(at + 1).cloned());
        } else if let Some((option, value)) = word::halves(own, '=')
            && options.contains(&option.text.as_str())
        {
            found.push(value);
        } else if let Some(value) = options.iter().find_map(|option| joined(own, option)) {
            found.push(value);
        }
    }
    found
}

/// The value behind `--option:`.
fn joined(own: &Word, option: &str) -> Option<Word> {
    word::after(&word::after(own, option)?, ":").filter(|_| option.starts_with("--"))
}

fn run(call: &mut Call<'_>, given: ArgumentUse, value: &Word, words: &[Word]) {
    call.beyond_plain = true;
    call.acts = true;
    match given {
        ArgumentUse::Shell => call.run_shell(value.clone()),
        ArgumentUse::Timed => {
            let text = value.text.split_once(':').map_or(value.text.as_str(), |(when, text)| {
                let is_when = when.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_');
                if is_when { text } else { value.text.as_str() }
            });
            call.run_shell(word::instead(value, text.to_owned()));
        }
        ArgumentUse::Piped => {
            if let Some(text) = word::after(value, "|").or_else(|| word::after(value, "!")) {
                call.run_shell(text);
                call.finding("shell.generated_code", "a command is given what this program prints");
            }
        }
        // A row that names the option runs it without the files.
        ArgumentUse::Searched if !matches!(value.text.as_str(), "rm" | "shred" | "unlink") => {}
        ArgumentUse::Program | ArgumentUse::Searched => {
            let mut argv = word::fields(value);
            argv.extend(words.last().filter(|last| !last.text.starts_with('-')).cloned());
            call.run_argv(argv);
        }
        ArgumentUse::Fed => {
            if crate::languages::is_interpreter(&value.text) {
                call.finding("shell.generated_code", "a command is given what this program reads");
            }
        }
        ArgumentUse::Code(language) => call.run_language(language, value.clone()),
        ArgumentUse::File(language) => call.run_file(value, language, Vec::new()),
        ArgumentUse::Native => {
            let last = word::split(value, ',').pop().unwrap_or_else(|| value.clone());
            call.run_native(&last);
        }
        ArgumentUse::Write | ArgumentUse::Dir => {
            call.write(value, doorward_core::intent::WriteMode::Create);
        }
        ArgumentUse::Read => call.read(value),
        ArgumentUse::LastShell => {
            if let Some(last) = words.last() {
                let text = last.text.strip_prefix("run-shell ").unwrap_or(&last.text).to_owned();
                call.run_shell(word::instead(last, text));
            }
        }
        ArgumentUse::Last => {
            if let Some(last) = words.last() {
                call.write(last, doorward_core::intent::WriteMode::Create);
            }
        }
        ArgumentUse::Script(language) if value.text.ends_with(".lua") => {
            call.run_file(value, language, Vec::new());
        }
        ArgumentUse::Script(_) => {}
        ArgumentUse::OptionsOf(program) => {
            let mut argv = vec![Word::literal(program, value.span)];
            argv.extend(word::fields(value));
            call.run_argv(argv);
        }
    }
}

/// `-D NAME=VALUE` and `-DNAME:TYPE=VALUE` of CMake: files that it includes, and programs that it runs to build
/// (cmake-variables(7)).
fn definitions(call: &mut Call<'_>, words: &[Word]) {
    let mut given = values(words, &["-D"]);
    given.extend(words.iter().filter_map(|own| word::after(own, "-D").filter(|rest| !rest.text.is_empty())));
    for (name, value) in given.iter().filter_map(|setting| word::halves(setting, '=')) {
        let name = name.text.split(':').next().unwrap_or_default();
        let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
        let included = name.contains("PROJECT_") && name.contains("INCLUDE")
            || ends(&["_TOOLCHAIN_FILE", "_RULES_OVERRIDE", "_INCLUDE_BEFORE", "_TOP_LEVEL_INCLUDES"]);
        if included {
            run(call, ArgumentUse::File("cmake"), &value, &[]);
        } else if ends(&["_LAUNCHER", "_EMULATOR", "_MAKE_PROGRAM"]) && value.text.contains(';') {
            // A list: one word of a command each.
            call.run_argv(word::split(&value, ';'));
        } else if value.text.contains('/')
            && ends(&["_COMPILER", "_LINKER", "_LAUNCHER", "_EMULATOR", "_MAKE_PROGRAM"])
        {
            call.run_program(&value);
        }
    }
}

/// `dconf write /…/custom-command "'sh …'"`.
fn desktop(call: &mut Call<'_>, words: &[Word]) {
    let names_a_command = |word: &&Word| {
        let key = word.text.rsplit('/').next().unwrap_or_default();
        DESKTOP_COMMANDS.contains(&key) || word.text.contains("autostart")
    };
    if words.iter().any(|word| names_a_command(&word)) {
        call.finding("shell.persistence", "sets a command that the desktop runs later");
    }
}

/// `:sftp,ssh='command':path`.
fn connection(call: &mut Call<'_>, words: &[Word]) {
    for own in words.iter().filter(|word| word.text.starts_with(':')) {
        for key in [",ssh=", ",bearer_token_command=", ",password_command="] {
            let Some((_, value)) = own.text.split_once(key) else { continue };
            let text = match value.chars().next() {
                Some(quote @ ('\'' | '"')) => {
                    value.get(1..).and_then(|rest| rest.rsplit_once(quote)).map_or(value, |(text, _)| text)
                }
                _ => value.split([',', ':']).next().unwrap_or(value),
            };
            run(call, ArgumentUse::Shell, &word::instead(own, text.to_owned()), words);
        }
    }
}

/// `dvc stage add --run -n NAME COMMAND`, `dvc run COMMAND`.
fn stage(call: &mut Call<'_>, words: &[Word]) {
    let runs =
        words.iter().any(|word| word.text == "--run") || words.first().is_some_and(|word| word.text == "run");
    if let Some(last) = words.last().filter(|last| runs && last.text.contains(' ')) {
        run(call, ArgumentUse::Shell, last, words);
    }
}

/// `salt-call cmd.exec_code LANGUAGE CODE`, `cmd.shell TEXT`, `cmd.script`.
fn exec_code(call: &mut Call<'_>, words: &[Word]) {
    let Some(at) = words.iter().position(|word| word.text.starts_with("cmd.")) else { return };
    let rest = words.get(at + 1..).unwrap_or_default();
    match (words.get(at).map(|word| word.text.as_str()), rest) {
        (Some("cmd.exec_code" | "cmd.exec_code_all"), [language, code, ..]) => {
            let language =
                language.text.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
            if matches!(language, "bash" | "sh") {
                call.run_shell(code.clone());
            } else {
                call.run_language(language, code.clone());
            }
        }
        (Some("cmd.run_all" | "cmd.run_stdout" | "cmd.shell"), [text, ..]) => call.run_shell(text.clone()),
        _ => {}
    }
}

/// `java @file`: a file of options, any of which may run a command or load an agent.
fn argument_files(call: &mut Call<'_>, words: &[Word]) {
    for own in words.iter().take_while(|word| word.text.starts_with(['-', '@'])) {
        if let Some(file) = word::after(own, "@") {
            call.read(&file);
            call.run_file(&file, "", Vec::new());
        }
    }
}

/// `.once '|command'`, `.output |command`, `.shell command`, `.system command` of the SQLite shell.
fn dot_commands(call: &mut Call<'_>, words: &[Word]) {
    for own in words.iter().filter(|word| word.text.starts_with('.')) {
        let Some((name, rest)) = own.text.split_once(' ') else { continue };
        let rest = rest.trim().trim_matches(['\'', '"']);
        let text = match name {
            ".shell" | ".system" => rest,
            ".once" | ".output" | ".import" | ".o" => match rest.strip_prefix('|') {
                Some(text) => text,
                None => continue,
            },
            _ => continue,
        };
        run(call, ArgumentUse::Shell, &word::instead(own, text.to_owned()), words);
        if name != ".shell" && name != ".system" {
            call.finding("shell.generated_code", "a command is given what a query returns");
        }
    }
}

/// A job for a batch system: the script is standard input where no file is named.
fn job(call: &mut Call<'_>, words: &[Word]) {
    let wrapped = values(words, &["--wrap"]);
    if let Some(text) = wrapped.first() {
        return run(call, ArgumentUse::Shell, text, words);
    }
    match words.iter().find(|word| word.text.contains('.') && !word.text.starts_with('-')) {
        Some(script) => call.run_file(script, "shell", Vec::new()),
        None => call.run_stdin("shell", Vec::new()),
    }
}

/// `tee > "file"`, `print | "command"` in the language of Miller.
fn redirects(call: &mut Call<'_>, words: &[Word]) {
    for own in words.iter().filter(|word| word.text.contains(['>', '|'])) {
        for (sign, rest) in
            own.text.match_indices(['>', '|']).filter_map(|(at, sign)| Some((sign, own.text.get(at + 1..)?)))
        {
            let Some(text) = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next())
            else {
                continue;
            };
            let verb = ["tee", "emit", "print", "dump"].iter().any(|verb| own.text.contains(verb));
            let value = word::instead(own, text.to_owned());
            if verb && sign == "|" {
                call.run_shell(value);
            } else if verb {
                call.write(&value, doorward_core::intent::WriteMode::Create);
            }
        }
    }
}
