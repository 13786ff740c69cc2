//! Programs of Windows whose words decide in ways that a description can't say: the registry, WMI, and programs with
//! another purpose that fetch files.

use doorward_core::intent::{Direction, PrivilegeKind, WriteMode};
use doorward_knowledge::row::Nature;

use crate::deed::Word;

use super::call::Call;
use super::word;
use crate::languages::windows;

/// `reg VERB KEY`: keys that hold credentials, and those below which Windows starts programs by itself.
pub(in crate::programs) fn registry_key(call: &mut Call<'_>) {
    let Some(key) = call.operand(0) else { return };
    let changes = !matches!(call.spelled, "query" | "compare" | "export" | "save");
    if !changes && windows::holds_credentials(&key.text) {
        call.finding("shell.secret_read", "reads or copies credentials of Windows");
    }
    if changes && windows::starts_programs(&key.text) {
        let message = "writes where Windows starts programs by itself, or what guards it";
        call.finding("shell.persistence", message);
    }
}

/// `wmic CLASS call create "LINE"`, `wmic shadowcopy delete`, and other changes.
pub(in crate::programs) fn wmic(call: &mut Call<'_>) {
    let position = |call: &Call<'_>, text: &str| {
        call.operands.iter().position(|word| word.text.eq_ignore_ascii_case(text))
    };
    let option = |word: &str| {
        ["/node:", "/format:", "/output:", "/append:", "/user:", "/password:"]
            .iter()
            .any(|own| word.to_ascii_lowercase().starts_with(own))
    };
    let acts = ["call", "create", "delete", "set"].iter().any(|verb| position(call, verb).is_some());
    if !acts && !call.operands.iter().any(|word| option(&word.text)) {
        return;
    }
    call.nature = Nature::Works;
    if position(call, "delete").is_some() && position(call, "shadowcopy").is_some() {
        call.finding("shell.data_loss", "deletes shadow copies");
    }
    if let Some(line) = position(call, "create").and_then(|at| word::join(&call.operands_from(at + 1))) {
        call.run_language("cmd", line);
    }
    call.privilege(PrivilegeKind::Root, "changes Windows through WMI");
}

/// `certutil`: it also fetches files and decodes them.
pub(in crate::programs) fn certutil(call: &mut Call<'_>) {
    let has = |call: &Call<'_>, options: &[&str]| {
        let mut words = call.operands.iter().filter_map(|word| word.text.strip_prefix(['-', '/']));
        words.any(|word| options.iter().any(|own| own.eq_ignore_ascii_case(word)))
    };
    let is_option = |text: &str| text.starts_with(['-', '/']) && text.matches('/').count() < 2;
    let paths: Vec<_> = call.operands.iter().filter(|word| !is_option(&word.text)).cloned().collect();
    if has(call, &["hashfile", "dump", "store", "verify", "viewstore", "?"]) {
        return paths.iter().take(1).for_each(|path| call.look(path));
    }
    call.nature = Nature::Works;
    if let Some(url) = paths.iter().find(|path| path.text.contains("://")) {
        call.contact(url, "https", Direction::Fetch, Vec::new());
        if let Some(file) = paths.iter().rfind(|path| !path.text.contains("://")) {
            call.download(file);
        }
        return call.finding("shell.obfuscated", "downloads through a program that has another purpose");
    }
    let decodes = has(call, &["decode", "decodehex"]);
    if !decodes && !has(call, &["encode", "encodehex"]) {
        return call.privilege(PrivilegeKind::Root, "changes certificates");
    }
    if let Some(path) = paths.first() {
        call.read(path);
    }
    if let Some(path) = paths.get(1) {
        call.write(path, WriteMode::Create);
    }
    if decodes {
        call.finding("shell.obfuscated", "writes a file that had to be decoded");
    }
}

/// `bitsadmin /transfer NAME URL FILE`.
pub(in crate::programs) fn bitsadmin(call: &mut Call<'_>) {
    if call.first().is_none_or(|first| first.eq_ignore_ascii_case("/list")) {
        return;
    }
    call.nature = Nature::Works;
    call.finding("shell.obfuscated", "transfers through a program that has another purpose");
    let Some(at) = call.operands.iter().position(|word| word.text.contains("://")) else { return };
    let sends = call.operands.iter().any(|word| word.text.eq_ignore_ascii_case("/upload"));
    let direction = if sends { Direction::Send } else { Direction::Fetch };
    if let Some(url) = call.operand(at) {
        call.contact(&url, "https", direction, Vec::new());
    }
    match call.operand(at + 1) {
        Some(file) if sends => call.read(&file),
        Some(file) => call.download(&file),
        None => {}
    }
}

/// `forfiles /c "LINE"`: a command line of cmd, once for each file that is found.
pub(in crate::programs) fn for_files(call: &mut Call<'_>) {
    for line in call.values("-c") {
        let lower = line.text.to_ascii_lowercase();
        let is_named = ["@path", "@file", "@relpath", "@fname"].iter().any(|mark| lower.contains(mark));
        let text = if is_named { named(&line.text) } else { line.text.clone() };
        call.run_language("cmd", Word { text, ..line });
    }
}

/// A command line in which nobody knows which file is named.
fn named(line: &str) -> String {
    let mut text = line.to_owned();
    for mark in ["@relpath", "@path", "@fname", "@file"] {
        while let Some(at) = text.to_ascii_lowercase().find(mark) {
            text.replace_range(at..at + mark.len(), "…");
        }
    }
    text
}
