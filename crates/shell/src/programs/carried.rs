//! Options and operands by which a program runs what it is given, shows a credential or changes the device it talks
//! to, for programs whose rows don't say so. Looked at for every program, beside its row. Sources: each program's
//! manual.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::deed::Word;

use super::call::Call;
use super::names::lists;
use super::word;

/// What the value of an option is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ArgumentUse {
    /// A command line.
    Shell,
    /// The same behind `WHEN:` (yt-dlp).
    Timed,
    /// A command line if it begins with `|` or `!`.
    Piped,
    /// A program that is run with the other operands.
    Program,
    /// The same, where the row follows a command line already: only one that deletes is run here.
    Searched,
    /// Commands separated by `;`, one word of a command each (CMake lists).
    List,
    /// Code.
    Code(&'static str),
}

/// Programs, the options, and what their values are. An option stands before its value, or holds it behind `=`.
const OPTIONS: &[(&str, &[&str], ArgumentUse)] = &[
    ("abcde mpv mplayer", &["--input-terminal-cmd", "--player-operation-mode-cmd"], ArgumentUse::Shell),
    ("cloc", &["--extract-with", "--diff-list-file-cmd"], ArgumentUse::Shell),
    ("ctest cmake", &["-DCMAKE_C_COMPILER_LAUNCHER", "-DCMAKE_CXX_COMPILER_LAUNCHER"], ArgumentUse::List),
    ("ctest cmake", &["-DCMAKE_C_LINKER_LAUNCHER", "-DCMAKE_CXX_LINKER_LAUNCHER"], ArgumentUse::List),
    ("ctest cmake", &["-DCMAKE_CROSSCOMPILING_EMULATOR", "-DCMAKE_MAKE_PROGRAM"], ArgumentUse::List),
    (
        "dotnet msbuild",
        &["-p:PreBuildEvent", "-p:PostBuildEvent", "/p:PreBuildEvent", "/p:PostBuildEvent"],
        ArgumentUse::Shell,
    ),
    ("erl rebar3 werl", &["-eval", "--eval"], ArgumentUse::Code("erlang")),
    ("fetchmail mbsync mpop msmtp", &["--passwordeval", "--passcmd"], ArgumentUse::Shell),
    ("ghc ghci runghc", &["-pgmF", "-pgmL", "-pgmP", "-pgma", "-pgmc", "-pgml"], ArgumentUse::Program),
    ("git", &["--open-files-in-pager"], ArgumentUse::Program),
    ("mongosh", &["--eval"], ArgumentUse::Code("javascript")),
    ("psql", &["-o", "--output"], ArgumentUse::Piped),
    ("pylint", &["--init-hook"], ArgumentUse::Code("python")),
    ("rclone", &["--password-command", "--sftp-ssh", "--metadata-mapper"], ArgumentUse::Shell),
    ("restic rustic", &["--password-command"], ArgumentUse::Shell),
    ("rg", &["--pre"], ArgumentUse::Searched),
    ("qjs quickjs", &["-e", "--eval"], ArgumentUse::Code("javascript")),
    ("rpm rpmquery", &["--pipe"], ArgumentUse::Shell),
    ("wget wget2", &["-e", "--execute"], ArgumentUse::Code("wget")),
    ("youtube-dl yt-dlp", &["--exec", "--exec-before-download", "--netrc-cmd"], ArgumentUse::Timed),
];

/// Words that together show a credential: program, and what must stand among its words in this order.
const SHOWS: &[(&str, &[&str])] = &[
    ("nmcli", &["--show-secrets"]),
    ("nmcli", &["-s", "show"]),
    ("wg", &["show", "private-key"]),
    ("wg", &["show", "preshared-keys"]),
    ("wg", &["showconf"]),
];

/// Words that together change a device, or what the desktop runs later: program, words, code, and why.
const CHANGES: &[(&str, &[&str], &str, &str)] = &[
    ("fastboot", &["-w"], "shell.data_loss", "erases what is on the device"),
    ("fastboot", &["erase"], "shell.data_loss", "erases what is on the device"),
    ("fastboot", &["format"], "shell.data_loss", "erases what is on the device"),
    ("fastboot", &["flashing", "unlock"], "shell.data_loss", "erases what is on the device"),
    ("xdg-mime", &["default"], "shell.persistence", "chooses what opens files of a kind"),
    ("xdg-settings", &["set"], "shell.persistence", "chooses what opens addresses"),
];

/// Ends of desktop settings that hold a command (dconf(1), gsettings(1)).
const DESKTOP_COMMANDS: &[&str] = &["command", "custom-command", "exec", "exec-arg", "login-shell"];

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
    for (_, _, code, why) in CHANGES.iter().filter(|(programs, wanted, ..)| is(programs) && stands(wanted)) {
        call.finding(code, format!("{program} {why}"));
    }
    if program.starts_with("docker-credential-") && stands(&["get"]) {
        call.secret(format!("{program} shows a credential"));
    }
    match program.as_str() {
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
        "java" | "javac" => argument_files(call, words),
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
        }
    }
    found
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
        ArgumentUse::List => {
            let argv = word::split(value, ';');
            if argv.len() > 1 {
                call.run_argv(argv);
            }
        }
        ArgumentUse::Code(language) => call.run_language(language, value.clone()),
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
