//! npm, yarn, pnpm and the runners of remote tools.

use doorward_core::intent::{Code, Direction, InstallSource};

use crate::deed::Word;
use crate::programs::call::Call;
use crate::programs::word;

use super::*;

const REGISTRY: &str = "registry.npmjs.org";

/// `npm install PACKAGE`, `yarn global add PACKAGE`.
pub(in crate::programs) fn installs(call: &mut Call<'_>) {
    let mut packages = call.operands.clone();
    let yarn_global = call.program == "yarn" && call.spelled == "global";
    if call.spelled == "global" {
        packages.retain(|word| !matches!(word.text.as_str(), "add" | "install"));
    }
    let global = flag(call, &["-g", "--global"]) || yarn_global;
    install(call, &packages, !flag(call, &["--ignore-scripts"]), global, REGISTRY);
}

/// What the lock file names.
pub(in crate::programs) fn installs_locked(call: &mut Call<'_>) {
    install(call, &[], !flag(call, &["--ignore-scripts"]), false, REGISTRY);
}

/// Newer versions than the lock file names.
pub(in crate::programs) fn updates(call: &mut Call<'_>) {
    installs(call);
    if let Some(install) = call.deeds.installs.last_mut() {
        install.source = InstallSource::Registry;
    }
}

/// `npm create NAME` runs the package `create-NAME`.
pub(in crate::programs) fn creates(call: &mut Call<'_>) {
    if call.operands.iter().any(|word| !word.text.starts_with('-')) {
        run_remote_tool(call, 0);
    }
}

/// `npm exec`: shell text, or a package and its words.
pub(in crate::programs) fn executes(call: &mut Call<'_>) {
    match option(call, &["-c", "--call"]).filter(|text| text.text != call.spelled) {
        Some(text) => {
            call.transparent();
            call.run_shell(text);
        }
        None => run_remote_tool(call, 0),
    }
}

/// `npm run SCRIPT`. Every project has the script `env`; yarn and pnpm run an installed program where no script
/// answers.
pub(in crate::programs) fn runs_script(call: &mut Call<'_>) {
    let script = call.operands.first().map(|word| word.text.clone());
    let programs = matches!(call.program.as_str(), "yarn" | "pnpm");
    match (script.as_deref(), call.dashes_at) {
        (None, _) => call.nature = Nature::Reads,
        (Some("env"), Some(at)) => call.run_argv(call.operands_from(at)),
        (Some("rm" | "rimraf" | "node" | "sh" | "bash"), _) if programs => {
            call.run_argv(call.operands.clone());
        }
        _ => call.run_own("package.json", Code::None),
    }
}

/// `npm explore PACKAGE -- COMMAND`, and `env`.
pub(in crate::programs) fn explores(call: &mut Call<'_>) {
    match call.dashes_at {
        Some(at) => call.run_argv(call.operands_from(at)),
        None if call.spelled == "explore" => call.run_own("package.json", Code::None),
        None => call.nature = Nature::Reads,
    }
}

/// `yarn node FILE`.
pub(in crate::programs) fn runs_node(call: &mut Call<'_>) {
    let mut argv = vec![Word::literal("node", call.span())];
    argv.extend(call.operands.iter().cloned());
    call.run_argv(argv);
}

/// Options that name a program which npm starts, or code that it loads. The row of the program and that of the command
/// both list them, so only the first that sees one says it.
pub(in crate::programs) fn obeys(call: &mut Call<'_>) {
    if !call.deeds.runs.is_empty() {
        return;
    }
    for option in ["--browser", "--editor", "--git", "--shell", "--viewer"] {
        for program in call.values(option) {
            call.run_program(&program);
        }
    }
    for options in call.values("--node-options") {
        loads(call, &options);
    }
}

/// `--require FILE` and kin among the options of Node.
fn loads(call: &mut Call<'_>, options: &Word) {
    let parts: Vec<Word> = word::fields(options).iter().flat_map(|part| word::split(part, '=')).collect();
    for pair in parts.windows(2) {
        if let [option, file] = pair
            && matches!(option.text.as_str(), "-r" | "--require" | "--import" | "--loader")
        {
            call.run_file(file, "javascript", Vec::new());
        }
    }
}

/// What changes the registry.
pub(in crate::programs) fn publishes(call: &mut Call<'_>) {
    registry(call, REGISTRY, call.spelled);
    if call.spelled != "publish" {
        return;
    }
    // `npm publish FOLDER|TARBALL|ADDRESS` publishes that one: a rule for publishing speaks of the project it runs in.
    let other = |word: &&Word| !matches!(word.text.as_str(), "." | "./") && !word.text.starts_with('-');
    for package in call.operands.clone().iter().filter(other) {
        call.choose(package.text.clone());
        if source_of(&package.text) == InstallSource::Url {
            call.contact(package, "https", Direction::Fetch, Vec::new());
        } else {
            call.read(package);
        }
    }
}

/// `npm config set`, `npm pkg set` and what they read.
pub(in crate::programs) fn npm_config(call: &mut Call<'_>) {
    let (verb, rest) = (call.spelled, call.operands.clone());
    let sets = verb == "set"
        || rest
            .first()
            .is_some_and(|word| matches!(word.text.as_str(), "set" | "delete" | "edit" | "rm" | "fix"));
    if !sets {
        let token = |word: &Word| {
            let name = word.text.to_ascii_lowercase();
            ["_auth", "_password", "token"].iter().any(|part| name.contains(part))
        };
        if rest.iter().any(token) {
            return call.secret("prints a stored login");
        }
        call.nature = Nature::Reads;
        return;
    }
    for word in rest.iter().skip(usize::from(verb != "set")) {
        let Some((name, value)) = word::halves(word, '=') else { continue };
        if name.text.starts_with("scripts.") {
            call.run_shell(value);
        } else if name.text == "strict-ssl" && value.text == "false" {
            call.finding("shell.tamper", "switches certificate checks off");
        } else if matches!(name.text.as_str(), "script-shell" | "git" | "editor" | "shell") {
            call.run_file(&value, "", Vec::new());
        }
    }
    // `config set NAME VALUE`.
    for pair in rest.windows(2) {
        let [name, value] = pair else { continue };
        let runs =
            ["script-shell", "git", "editor", "shell", "init-module", "viewer", "browser", "onload-script"];
        if name.text == "node-options" {
            loads(call, value);
        } else if runs.contains(&name.text.as_str()) && !matches!(value.text.as_str(), "true" | "false") {
            call.run_program(value);
            call.finding(
                "shell.persistence",
                format!("`{}` runs what {} names from now on", call.program, name.text),
            );
        }
    }
    let text: Vec<&str> = rest.iter().map(|word| word.text.as_str()).collect();
    if text.windows(2).any(|pair| pair == ["strict-ssl", "false"]) {
        call.finding("shell.tamper", "switches certificate checks off");
    }
}

/// A tool fetched by name and run: `npx NAME args`.
pub(in crate::programs) fn run_remote_tool(call: &mut Call<'_>, from: usize) {
    let mut at = from;
    while let Some(word) = call.operands.get(at) {
        match word.text.as_str() {
            "-p" | "--package" | "--from" | "--with" | "--python" | "--registry" => at += 2,
            "--" => {
                at += 1;
                break;
            }
            text if text.starts_with('-') => at += 1,
            _ => break,
        }
    }
    let words = call.operands_from(at);
    let package = option(call, &["-p", "--package", "--from", "--spec"]).or_else(|| words.first().cloned());
    let Some(package) = package else { return };
    // `pnpm -c exec 'text'`.
    if package.text.trim().contains(char::is_whitespace) {
        call.transparent();
        return call.run_shell(package);
    }
    if source_of(&package.text) == InstallSource::Url {
        call.contact(&package, "https", Direction::Fetch, Vec::new());
        call.finding("shell.remote_code", "runs a package from a URL");
        return;
    }
    // What a linter's or a test runner's name means is known; the words are judged under it.
    let bare = words
        .first()
        .map(|first| first.text.trim_start_matches('@').split('@').next().unwrap_or_default().to_owned())
        .unwrap_or_default();
    if crate::programs::lookup(&bare).is_some() && !words.is_empty() {
        let mut words = words;
        if let Some(first) = words.first_mut() {
            first.text = bare;
        }
        call.transparent();
        call.run_argv(words);
        call.beyond_plain = false;
        return;
    }
    crate::programs::unknown::command_line_of(call, words.get(1..).unwrap_or_default());
    install(call, &[package], true, false, "");
}

/// A command of a package manager that changes what others get from the registry, unless it only asks or rehearses.
pub(in crate::programs) fn registry(call: &mut Call<'_>, host: &str, verb: &str) {
    let asks = flag(call, &["--dry-run", "-n", "--help", "-h", "--list", "-l"])
        || call.operands.iter().any(|word| {
            matches!(
                word.text.as_str(),
                "ls" | "list" | "get" | "ls-packages" | "ls-collaborators" | "info" | "status"
            )
        });
    // Publishing packs the project: only a rehearsal reads nothing out.
    if asks && (verb != "publish" || flag(call, &["--dry-run", "-n", "--help", "-h"])) {
        return call.contact_named(host, "https", Direction::Fetch);
    }
    call.contact_named(host, "https", Direction::Send);
    let message = format!("`{} {verb}` changes what others get from the registry", call.program);
    call.finding("shell.upload", message);
}

pub(in crate::programs) fn npx(call: &mut Call<'_>) {
    if let Some(text) = option(call, &["-c", "--call"]) {
        call.transparent();
        return call.run_shell(text);
    }
    if flag(call, &["--version", "-v", "--help", "-h"]) && call.operands.len() == 1 {
        call.nature = Nature::Reads;
        return;
    }
    run_remote_tool(call, 0);
}
