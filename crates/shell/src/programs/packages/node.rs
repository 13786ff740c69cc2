//! npm, yarn, pnpm and the runners of remote tools.

use doorward_core::intent::{Direction, InstallSource};

use crate::programs::call::Call;

use super::*;

/// What `npx`, `npm exec`, `npm create` and their kin fetch and run: shell text, or a package and its words.
pub(in crate::programs) fn remote_tool(call: &mut Call<'_>) {
    // pipx has no such option: its package may.
    let text =
        option(call, &["-c", "--call"]).filter(|text| text.text != call.spelled && call.program != "pipx");
    match text {
        Some(text) => {
            call.transparent();
            call.run_shell(text);
        }
        None if flag(call, &["--version", "-v", "--help", "-h"]) && call.operands.len() == 1 => {
            call.nature = Nature::Reads;
        }
        None if call.operands.iter().all(|word| word.text.starts_with('-')) && call.spelled == "init" => {}
        None => fetched(call),
    }
}

/// A tool fetched by name and run: `npx NAME args`.
fn fetched(call: &mut Call<'_>) {
    let mut at = 0;
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
