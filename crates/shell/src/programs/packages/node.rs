//! npm, yarn, pnpm and the runners of remote tools.

use doorward_core::intent::{Direction, InstallSource};

use crate::deed::Word;
use crate::programs::call::Call;
use crate::programs::word;

use super::*;

/// What `npx`, `npm exec`, `npm create` and their kin fetch and run: shell text, or a package and its words.
pub(in crate::programs) fn remote_tool(call: &mut Call<'_>) {
    match option(call, &["-c", "--call"]).filter(|text| text.text != call.spelled) {
        Some(text) => {
            call.transparent();
            call.run_shell(text);
        }
        None if flag(call, &["--version", "-v", "--help", "-h"]) && call.operands.len() == 1 => {
            call.nature = Nature::Reads;
        }
        None if call.operands.iter().all(|word| word.text.starts_with('-')) && call.spelled == "init" => {}
        None => run_remote_tool(call, 0),
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
