//! pip and its kin, and the packages of Ruby and PHP.

use doorward_core::intent::{Code, Direction, WriteMode};

use crate::programs::call::Call;

use super::*;

/// `pip install`: packages, requirement files, and where they are put.
pub(in crate::programs) fn installs(call: &mut Call<'_>) {
    let mut packages = call.operands.clone();
    if call.spelled == "create" {
        packages.clear();
    }
    packages.extend(call.values("-e"));
    for file in call.values("-r") {
        if file.text.contains("://") {
            call.contact(&file, "https", Direction::Fetch, Vec::new());
        } else {
            call.read(&file);
        }
    }
    let system = flag(call, &["--break-system-packages", "--system"]);
    install(call, &packages, true, system, "pypi.org");
    for target in ["-t", "--prefix", "--root"].iter().filter_map(|name| call.value(name)).collect::<Vec<_>>()
    {
        call.beyond_plain = true;
        call.write(&target, WriteMode::Create);
    }
}

/// `uv run COMMAND`, `poetry run COMMAND`, `pipx run PACKAGE`.
pub(in crate::programs) fn runs(call: &mut Call<'_>) {
    const TAKES: [&str; 8] = ["-n", "--name", "--with", "-p", "--python", "--extra", "--group", "--env-file"];
    if call.program == "pipx" {
        return run_remote_tool(call, 0);
    }
    let mut from = 0;
    while let Some(word) = call.operands.get(from).filter(|word| word.text.starts_with('-')) {
        from += if TAKES.contains(&word.text.as_str()) { 2 } else { 1 };
    }
    match call.operand(from) {
        Some(file) if file.text.ends_with(".py") => {
            let args = call.operands_from(from + 1);
            call.run_file(&file, "python", args);
        }
        Some(_) => crate::programs::wrappers::tail(call, from),
        None => {}
    }
}

pub(in crate::programs) fn gem(call: &mut Call<'_>) {
    let words = plain(call);
    let verb = words.first().map(|verb| verb.text.clone()).unwrap_or_default();
    let registry = if call.program == "composer" { "repo.packagist.org" } else { "rubygems.org" };
    let rest: Vec<Word> = words.iter().skip(1).cloned().collect();
    match verb.as_str() {
        "install" | "i" | "update" | "require" | "add" | "create-project" | "upgrade" | "global" | "u" => {
            let packages: Vec<Word> = if call.program == "bundle"
                || call.program == "composer" && matches!(verb.as_str(), "install" | "i")
            {
                Vec::new()
            } else {
                rest
            };
            install(call, &packages, !flag(call, &["--no-scripts"]), false, registry);
        }
        "" if call.program.starts_with("bundle") => install(call, &[], true, false, registry),
        "exec" | "e" => {
            let at = call.operands.iter().position(|word| word.text == verb).unwrap_or_default();
            crate::programs::wrappers::tail(call, at + 1);
        }
        "run" | "run-script" | "test" | "dump-autoload" | "dumpautoload" | "build" | "init" | "remove"
        | "uninstall" | "clean" | "cleanup" | "config" | "lock" | "pristine" | "cache" | "package"
        | "binstubs" | "clear-cache" | "self-update" | "rm" => {
            if matches!(verb.as_str(), "run" | "run-script" | "test") {
                call.run_own("composer.json", Code::None);
            }
        }
        "push" | "publish" | "yank" | "owner" | "signin" => {
            self::registry(call, registry, &verb);
        }
        "search" | "outdated" | "audit" | "fetch" => call.contact_named(registry, "https", Direction::Fetch),
        "list"
        | "show"
        | "info"
        | "env"
        | "environment"
        | "which"
        | "check"
        | "validate"
        | "diagnose"
        | "status"
        | "why"
        | "licenses"
        | "platform"
        | "help"
        | "contents"
        | "dependency"
        | "specification"
        | "check-platform-reqs"
        | "depends"
        | ""
        | "doctor"
        | "viz" => call.nature = Nature::Reads,
        _ if call.program == "composer" => call.run_own("composer.json", Code::None),
        _ => {
            let word = words.first().cloned().unwrap_or_default();
            call.unknown_sub(&word);
        }
    }
}
