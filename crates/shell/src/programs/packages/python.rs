//! pip and its kin, and the packages of Ruby and PHP.

use doorward_core::intent::{Code, Direction, WriteMode};

use crate::programs::call::Call;

use super::*;

pub(super) fn pip(call: &mut Call<'_>) {
    let mut words = plain(call);
    if call.program == "uv"
        && words
            .first()
            .is_some_and(|first| matches!(first.text.as_str(), "pip" | "tool" | "python" | "self"))
    {
        words.remove(0);
    }
    if matches!(call.program.as_str(), "conda" | "mamba" | "micromamba" | "poetry" | "pdm" | "hatch")
        && words.first().is_some_and(|first| matches!(first.text.as_str(), "env" | "self" | "plugin"))
    {
        words.remove(0);
    }
    let verb = words.first().map(|verb| verb.text.clone()).unwrap_or_default();
    let required = option(call, &["-r", "--requirement"]);
    let editable = option(call, &["-e", "--editable"]);
    let values: Vec<String> = [
        "-r",
        "--requirement",
        "-e",
        "--editable",
        "-c",
        "--constraint",
        "-t",
        "--target",
        "-i",
        "--index-url",
        "--extra-index-url",
        "-f",
        "--find-links",
        "--prefix",
        "-p",
        "--python",
        "-n",
        "--name",
        "-G",
        "--group",
        "--extra",
        "--with",
        "--without",
        "--root",
        "--src",
        "-d",
        "--dest",
        "--log",
        "--proxy",
        "--cert",
        "--trusted-host",
    ]
    .iter()
    .filter_map(|name| option(call, &[name]))
    .map(|word| word.text)
    .collect();
    let packages: Vec<Word> =
        words.iter().skip(1).filter(|word| !values.contains(&word.text)).cloned().collect();
    match verb.as_str() {
        "install" | "add" | "sync" | "update" | "upgrade" | "lock" | "download" | "wheel" | "create"
        | "inject" | "upgrade-all" | "reinstall" => {
            let mut packages = packages;
            if verb == "create" {
                packages.clear();
            }
            packages.extend(editable);
            if let Some(file) = &required {
                if file.text.contains("://") {
                    call.contact(file, "https", Direction::Fetch, Vec::new())
                } else {
                    call.read(file)
                }
            }
            let system = flag(call, &["--break-system-packages", "--system"]);
            install(call, &packages, true, system, "pypi.org");
            if let Some(target) = option(call, &["-t", "--target", "--prefix", "--root"]) {
                call.beyond_plain = true;
                call.write(&target, WriteMode::Create);
            }
            if flag(call, &["--trusted-host"]) {
                call.finding("shell.tamper", "switches certificate checks off for an index");
            }
        }
        "run" | "exec" | "runpip" | "shell" => {
            let at = call.operands.iter().position(|word| word.text == verb).unwrap_or_default();
            if call.program == "pipx" {
                return run_remote_tool(call, at + 1);
            }
            let mut from = at + 1;
            while call.operands.get(from).is_some_and(|word| word.text.starts_with('-')) {
                from += if call.operands.get(from).is_some_and(|word| {
                    matches!(
                        word.text.as_str(),
                        "-n" | "--name" | "--with" | "-p" | "--python" | "--extra" | "--group" | "--env-file"
                    )
                }) {
                    2
                } else {
                    1
                };
            }
            if call.operands.get(from).is_some() {
                if call.operand(from).is_some_and(|word| word.text.ends_with(".py")) {
                    let file = call.operand(from).unwrap_or_default();
                    let args = call.operands_from(from + 1);
                    call.run_file(&file, "python", args);
                } else {
                    crate::programs::wrappers::tail(call, from);
                }
            }
        }
        "uninstall" | "remove" | "rm" | "init" | "new" | "build" | "version" | "venv" | "clean"
        | "config" | "cache" | "activate" | "deactivate" | "purge" | "use" | "format" | "compile"
        | "export" | "pin" | "ensurepath" | "test" | "lint" => {
            let shows = matches!(verb.as_str(), "config" | "cache")
                && packages.first().is_none_or(|word| {
                    matches!(word.text.as_str(), "list" | "get" | "dir" | "info" | "debug" | "--list")
                });
            if shows || verb == "version" && packages.is_empty() {
                call.nature = Nature::Reads;
            }
        }
        "publish" => {
            call.contact_named("upload.pypi.org", "https", Direction::Send);
            call.finding("shell.upload", "publishes a package");
        }
        "search" | "index" => call.contact_named("pypi.org", "https", Direction::Fetch),
        "list" | "freeze" | "show" | "check" | "debug" | "hash" | "inspect" | "info" | "tree" | "help"
        | "" | "completion" | "env" | "find" | "dir" | "which" | "environment" => call.nature = Nature::Reads,
        _ => {
            let word = words.first().cloned().unwrap_or_default();
            call.unknown_sub(&word);
        }
    }
}

pub(super) fn gem(call: &mut Call<'_>) {
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
