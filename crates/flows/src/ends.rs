//! Decides which object a clean-up is about, so that it ends a flow only if it surely undid that flow's own step.

use doorward_core::effect::Inspected;
use doorward_core::intent::{Certainty, SimpleCommand};

use crate::facts::{folder, join};

/// Prefix of the name of a setting.
const SETTING: &str = "the setting ";

/// Whether a fact's object is a setting and not a source.
pub(crate) fn is_setting(object: &str) -> bool {
    object.starts_with(SETTING)
}

/// Whether all effects of the call surely happen if it succeeds: none is conditional, hidden in other code, a dry
/// run, a help text, or carried out elsewhere.
pub(crate) fn surely_happens(inspected: &Inspected) -> bool {
    /// Pipes whose last command is a check, and therefore decides about success.
    const CHECKS: &[&str] = &["| sha256sum -c", "| sha512sum -c", "| shasum -a 256 -c", "| b2sum -c"];
    /// Programs after which the rest may not run, or may mean something else.
    const TURNS: &[&str] = &[
        "exec", "eval", "alias", "exit", "return", "set", "trap", "source", ".", "ssh", "unshare", "chroot",
    ];
    /// Options with which a program only prints, or acts elsewhere.
    const TALKS: &[&str] =
        &["--help", "-h", "--version", "-V", "--dry-run", "-n", "--no-act", "-i", "-I", "-C", "-H", "-M"];
    let mut text = inspected.call.arg("command").unwrap_or_default().replace("&&", "");
    for check in CHECKS {
        text = text.replacen(check, "", 1);
    }
    let plain = !text.contains(['|', '&', ';', '\n', '`', '(', '{', '<']);
    let talks = |word: &String| {
        TALKS.contains(&word.as_str())
            || ["--interactive", "--root", "--host", "--machine", "--git-dir"]
                .iter()
                .any(|option| word.starts_with(option))
    };
    let sure = |command: &SimpleCommand| {
        command.depth == 0
            && command.unknown_words.is_empty()
            && command.assignments.is_empty()
            && command.via.iter().all(|via| via == "sudo" || via == "doas")
            && !TURNS.contains(&command.program.as_str())
            && !command.words.iter().skip(1).any(talks)
    };
    let effects = &inspected.effects;
    let deleting = effects.executes.is_empty()
        || effects.deletes.is_empty()
        || effects
            .executes
            .iter()
            .any(|command| matches!(command.program.as_str(), "rm" | "unlink" | "rmdir"));
    plain
        && deleting
        && effects.executes.iter().all(sure)
        && effects.deletes.iter().all(|delete| delete.certainty == Certainty::Exact)
}

/// The package sources that a command names, and the setting that they are stored in.
pub(crate) fn sources(command: &SimpleCommand) -> Vec<String> {
    let mut all: Vec<String> = command.words.iter().skip(1).flat_map(|word| addresses(word)).collect();
    if command.program == "conda" {
        let mut words = command.words.iter().skip_while(|word| *word != "channels");
        let names = words.by_ref().skip(1).filter(|word| !word.starts_with('-') && !word.contains("://"));
        all.extend(names.cloned());
    }
    all.extend(setting(command));
    all
}

/// The addresses in a word. Text between them counts as one too, because a program may read it as a source.
fn addresses(word: &str) -> Vec<String> {
    if !word.contains("://") {
        return Vec::new();
    }
    let parts = word.split(|letter: char| letter.is_whitespace() || ",;|".contains(letter));
    let value = |part: &str| {
        let scheme = part.find("://").unwrap_or(0);
        let before = part.get(..scheme).unwrap_or_default();
        let start = before.rfind(['=', '"', '\'']).map_or(0, |at| at + 1);
        part.get(start..).unwrap_or_default().trim_matches(['"', '\'']).to_owned()
    };
    parts.filter(|part| !part.is_empty()).map(value).collect()
}

/// The setting that a command sets or removes: its words without verb and address. Options belong to it, because
/// they choose the file.
pub(crate) fn setting(command: &SimpleCommand) -> Option<String> {
    const VERBS: &[&str] = &[
        "config", "source", "sources", "set", "add", "delete", "unset", "rm", "--add", "--remove", "-a", "-r",
    ];
    if !command.assignments.is_empty() || !command.unknown_words.is_empty() {
        return None;
    }
    let program = command.program.trim_end_matches('3');
    let words = || command.words.iter().skip(1).map(String::as_str).filter(|word| !VERBS.contains(word));
    let name = |word: &str| match word.split_once('=') {
        Some((name, value)) if value.contains("://") => name.to_owned(),
        _ => word.to_owned(),
    };
    let mut names: Vec<String> = words().map(name).filter(|word| !word.contains("://")).collect();
    if !names.iter().any(|word| !word.starts_with('-')) {
        names = words().map(str::to_owned).collect();
    }
    if names.iter().any(|word| word.starts_with('-')) && !command.folder.is_empty() {
        names.push(command.folder.clone());
    }
    names.sort_unstable();
    (!names.is_empty()).then(|| format!("{SETTING}{} of {program}", names.join(" ")))
}

/// The services that a command starts or stops, or the program whose own state it changes. Options that choose
/// another target belong to the name.
pub(crate) fn services(command: &SimpleCommand) -> Vec<String> {
    const VERBS: &[&str] = &["stop", "disable", "mask", "kill", "start", "enable", "restart", "unmask"];
    const PLAIN: &[&str] = &["--now", "-q", "--quiet", "-f", "--force", "--no-block"];
    let words = || command.words.iter().skip(1).map(String::as_str);
    let is_service = matches!(command.program.as_str(), "systemctl" | "service");
    if !is_service {
        // The location of the backup: another repository is another backup.
        let mut place: Vec<&str> = words()
            .zip(words().skip(1))
            .filter(|(option, _)| matches!(*option, "-r" | "--repo" | "--repository-file" | "-c"))
            .map(|(_, place)| place)
            .collect();
        place.extend(words().filter_map(|word| word.strip_prefix("--repo=")));
        place.extend(words().filter_map(|word| word.split_once("::").map(|(place, _)| place)));
        place.insert(0, &command.program);
        return vec![place.join(" ")];
    }
    let mut options: Vec<&str> =
        words().filter(|word| word.starts_with('-') && !PLAIN.contains(word)).collect();
    options.sort_unstable();
    let names = words().filter(|word| !word.starts_with('-') && !VERBS.contains(word));
    let named = |name: &str| {
        let name = name.strip_suffix(".service").unwrap_or(name);
        std::iter::once(name).chain(options.iter().copied()).collect::<Vec<_>>().join(" ")
    };
    names.map(named).collect()
}

/// The files that a command checks against a sum or signature, by their names alone. The content of a list of sums
/// is unknown, except a line passed by `echo` or `printf`, or a list named after its file.
pub(crate) fn checked(command: &SimpleCommand, inspected: &Inspected) -> Vec<String> {
    const LISTS: &[&str] =
        &[".sha256", ".sha512", ".sha256sum", ".sha512sum", ".b2", ".sig", ".asc", ".minisig"];
    let of = |command: &SimpleCommand, name: &str| join(&folder(inspected, command), name);
    let operands = || command.words.iter().skip(1).filter(|word| !word.starts_with('-')).map(String::as_str);
    let is_sum = command.program.ends_with("sum") || command.program == "shasum";
    let verifies = || {
        let verb =
            |word: &String| word.starts_with("--verify") || word.starts_with("verify") || word == "-Vm";
        command.words.iter().any(verb) || command.program == "gpgv"
    };
    if !is_sum && !verifies() {
        return Vec::new();
    }
    let named_after = operands().filter_map(|word| LISTS.iter().find_map(|list| word.strip_suffix(list)));
    let mut all: Vec<String> = named_after.map(|name| of(command, name)).collect();
    if !is_sum {
        all.extend(operands().map(|name| of(command, name)));
        return all;
    }
    let printed =
        inspected.effects.executes.iter().filter(|other| matches!(other.program.as_str(), "echo" | "printf"));
    for other in printed {
        let line = other.words.iter().skip(1).map(String::as_str).collect::<Vec<_>>().join(" ");
        let line = line.trim_end_matches("\\n");
        let mut parts = line.split_whitespace();
        if let (Some(sum), Some(name), None) = (parts.next(), parts.next(), parts.next())
            && sum.len() >= 64
            && sum.chars().all(|letter| letter.is_ascii_hexdigit())
        {
            all.push(of(command, name));
        }
    }
    all
}
