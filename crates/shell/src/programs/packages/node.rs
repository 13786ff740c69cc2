//! npm, yarn, pnpm and the runners of remote tools.

use doorward_core::intent::{Code, Direction, InstallSource};

use crate::deed::Word;
use crate::programs::call::Call;
use crate::programs::word;

use super::*;

pub(super) fn npm(call: &mut Call<'_>) {
    let words = plain(call);
    let verb = words.first().map(|verb| verb.text.clone()).unwrap_or_default();
    let yarn = call.program == "yarn";
    let scripts = !flag(call, &["--ignore-scripts"]);
    let global = flag(call, &["-g", "--global"]) || yarn && verb == "global";
    let rest: Vec<Word> = words
        .iter()
        .skip(1)
        .filter(|word| {
            option(
                call,
                &[
                    "--prefix",
                    "--registry",
                    "-C",
                    "--dir",
                    "--filter",
                    "-F",
                    "-w",
                    "--workspace",
                    "--loglevel",
                    "--tag",
                    "--access",
                ],
            )
            .is_none_or(|value| value.text != word.text)
        })
        .cloned()
        .collect();
    match verb.as_str() {
        "install" | "i" | "add" | "in" | "ins" | "isntall" | "install-test" | "it" | "global" => {
            let rest: Vec<Word> = rest
                .into_iter()
                .filter(|word| !(verb == "global" && matches!(word.text.as_str(), "add" | "install")))
                .collect();
            install(call, &rest, scripts, global, "registry.npmjs.org");
        }
        "ci" | "clean-install" | "rebuild" | "rb" | "dedupe" | "import" => {
            install(call, &[], scripts, false, "registry.npmjs.org")
        }
        "" if yarn => install(call, &[], scripts, false, "registry.npmjs.org"),
        "update" | "up" | "upgrade" | "outdated-fix" | "upgrade-interactive" => {
            install(call, &rest, scripts, global, "registry.npmjs.org");
            if let Some(install) = call.deeds.installs.last_mut() {
                install.source = InstallSource::Registry;
            }
        }
        "set-script" => {
            if let Some(text) = rest.get(1) {
                call.run_shell(text.clone());
            }
        }
        "uninstall" | "remove" | "rm" | "r" | "un" | "unlink" | "prune" | "link" | "ln" | "init"
        | "create" | "pack" | "version" | "shrinkwrap" | "fund" | "patch" | "store" => {
            if matches!(verb.as_str(), "init" | "create") && !rest.is_empty() {
                run_remote_tool(call, 1);
            }
            if verb == "version" && rest.is_empty() {
                call.nature = Nature::Reads;
            }
        }
        "exec" | "x" | "dlx" => match option(call, &["-c", "--call"]).filter(|text| text.text != verb) {
            Some(text) => {
                call.transparent();
                call.run_shell(text);
            }
            None => {
                let from = call.operands.iter().position(|word| word.text == verb).unwrap_or_default() + 1;
                run_remote_tool(call, from);
            }
        },
        "run" | "run-script" | "test" | "t" | "tst" | "start" | "stop" | "restart" | "build" | "lint"
        | "format" | "dev" | "typecheck" | "check" | "watch" | "serve" | "compile" | "e2e" | "coverage"
        | "clean" | "prepare" | "generate" | "workspaces" | "recursive" | "workspace" => {
            let dashes = call.operands.iter().position(|word| word.text == "--");
            let tool = rest.first().filter(|_| yarn || call.program == "pnpm").map(|word| word.text.clone());
            if matches!(verb.as_str(), "run" | "run-script") && rest.is_empty() {
                call.nature = Nature::Reads;
            } else if verb == "run"
                && rest.first().is_some_and(|script| script.text == "env")
                && let Some(at) = dashes
            {
                // The script that every project has runs env(1).
                let argv = call.operands_from(at + 1);
                call.run_argv(argv);
            } else if verb == "run"
                && matches!(tool.as_deref(), Some("rm" | "rimraf" | "node" | "sh" | "bash"))
            {
                // A program that is installed answers where no script does.
                let argv = rest.clone();
                call.run_argv(argv);
            } else {
                call.run_own("package.json", Code::None);
            }
        }
        "publish" | "unpublish" | "deprecate" | "dist-tag" | "owner" | "access" | "team" | "hook"
        | "token" | "login" | "logout" | "adduser" | "profile" | "org" => {
            registry(call, "registry.npmjs.org", &verb);
        }
        "config" | "c" | "set" | "get" | "pkg" => npm_config(call, &verb, &rest),
        "cache" => {
            if rest.first().is_some_and(|word| matches!(word.text.as_str(), "clean" | "clear" | "rm")) { /* regenerable */
            } else {
                call.nature = Nature::Reads
            }
        }
        "audit" if flag(call, &["fix", "--fix"]) || rest.iter().any(|word| word.text == "fix") => {
            install(call, &[], scripts, false, "registry.npmjs.org")
        }
        "audit" | "outdated" | "view" | "v" | "info" | "show" | "search" | "s" | "ping" | "whoami"
        | "doctor" | "docs" | "repo" | "bugs" | "home" => {
            call.contact_named("registry.npmjs.org", "https", Direction::Fetch)
        }
        "ls" | "list" | "la" | "ll" | "why" | "explain" | "root" | "prefix" | "bin" | "help" | "query"
        | "licenses" | "env" | "completion" | "explore" | "edit" | "" | "-v" | "node" => {
            if verb == "node" {
                let mut argv = vec![Word::literal("node", call.span())];
                argv.extend(rest.iter().cloned());
                call.run_argv(argv);
            } else if let Some(at) = call
                .operands
                .iter()
                .position(|word| word.text == "--")
                .filter(|_| matches!(verb.as_str(), "explore" | "env"))
            {
                let argv = call.operands_from(at + 1);
                call.run_argv(argv);
            } else if verb == "explore" {
                call.run_own("package.json", Code::None)
            } else if call.operands.is_empty() && !yarn || verb != "edit" {
                call.nature = Nature::Reads
            }
        }
        _ if yarn || call.program == "pnpm" => call.run_own("package.json", Code::None),
        _ => {
            let word = words.first().cloned().unwrap_or_default();
            call.unknown_sub(&word);
        }
    }
    if let Some(shell) = option(call, &["--script-shell"]) {
        call.run_program(&shell);
    }
}

pub(super) fn npm_config(call: &mut Call<'_>, verb: &str, rest: &[Word]) {
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
        if matches!(
            name.text.as_str(),
            "script-shell" | "git" | "editor" | "shell" | "init-module" | "viewer"
        ) {
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
pub(super) fn registry(call: &mut Call<'_>, host: &str, verb: &str) {
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

pub(super) fn npx(call: &mut Call<'_>) {
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
