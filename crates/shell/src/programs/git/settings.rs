//! Settings of git that choose what it runs or whom it asks: `-c KEY=VALUE`, `git config KEY VALUE`, `--config-env`.

use doorward_core::intent::WriteMode;

use crate::deed::Word;
use crate::programs::call::Call;
use crate::programs::word;

use super::reached::is_plain_value;
use super::*;

/// Configuration keys and what their values do.
pub(super) enum Key {
    /// The value is run by a shell, unless it is a plain boolean or pager name.
    Runs,
    /// The value is a file or folder that is loaded or run.
    Loads,
    /// `!text` is run by a shell; anything else names a helper.
    Helper,
    /// An alias.
    Alias,
    /// Transports, checks and places are changed.
    Trust,
    /// Changes nothing that runs.
    Harmless,
}

pub(super) fn key(name: &str) -> Key {
    let name = name.to_ascii_lowercase();
    let first = name.split('.').next().unwrap_or_default();
    let last = name.rsplit('.').next().unwrap_or_default();
    match (first, last) {
        ("alias", _) => Key::Alias,
        (
            "core",
            "pager" | "editor" | "sshcommand" | "fsmonitor" | "askpass" | "gitproxy" | "alternaterefscommand",
        ) => Key::Runs,
        ("core", "hookspath" | "attributesfile" | "worktree")
        | ("include" | "includeif", "path")
        | ("init", "templatedir") => Key::Loads,
        ("pager", _) | ("sequence" | "interactive", "editor" | "difffilter") => Key::Runs,
        ("diff", "external" | "textconv" | "command") => Key::Runs,
        ("difftool" | "mergetool" | "man" | "browser" | "guitool", "cmd" | "path")
        | ("merge", "driver")
        | ("web", "browser") => Key::Runs,
        ("filter", "clean" | "smudge" | "process") => Key::Runs,
        ("credential", "helper") => Key::Helper,
        ("gpg" | "instaweb", "program" | "httpd" | "browser" | "defaultkeycommand") => Key::Runs,
        ("uploadpack", "packobjectshook") | ("receive", "procreceiverefs") => Key::Runs,
        ("gc", "recentobjectshook") | ("hook", "command") => Key::Runs,
        ("remote", "uploadpack" | "receivepack" | "vcs") | ("trailer" | "tar", "command" | "cmd") => {
            Key::Runs
        }
        ("sendemail", "tocmd" | "cccmd" | "headercmd" | "smtpserver" | "sendmailcmd") => Key::Runs,
        ("submodule", "update") | ("imap", "tunnel") | ("lfs", "extension") => Key::Runs,
        ("protocol", "allow")
        | ("url", "insteadof" | "pushinsteadof")
        | ("http", "proxy" | "sslverify" | "sslcainfo" | "extraheader" | "cookiefile")
        | ("safe", "directory" | "barerepository")
        | ("remote", "proxy" | "url" | "pushurl" | "push" | "mirror")
        | ("core", "gitproxycommand")
        | ("transfer" | "fetch" | "receive", "fsckobjects") => Key::Trust,
        _ => Key::Harmless,
    }
}

pub(super) fn set_key(call: &mut Call<'_>, name: &Word, value: &Word) {
    let run = |text: Word| Run::Shell {
        text,
        args: Vec::new(),
        via: "git -c".to_owned(),
        place: call.argv.place.clone(),
    };
    match key(&name.text) {
        Key::Harmless if name.text.eq_ignore_ascii_case("core.sharedRepository") => {
            let world = matches!(value.text.as_str(), "all" | "world" | "everybody" | "2");
            if !world && value.text.starts_with('0') {
                crate::programs::coreutils::judge_mode(call, value);
            } else if world {
                call.beyond_plain = true;
            }
        }
        Key::Harmless => {
            if name.text.eq_ignore_ascii_case("clean.requireForce") {
                call.beyond_plain = true;
            }
        }
        Key::Runs if is_plain_value(&value.text) => {}
        Key::Runs => {
            // `submodule.NAME.update = !TEXT`.
            let run = run(word::after(value, "!").unwrap_or_else(|| value.clone()));
            call.run(run);
        }
        Key::Helper => match word::after(value, "!") {
            Some(text) => {
                let run = run(text);
                call.run(run);
            }
            None if value.text.contains('/') => call.run_file(value, "", Vec::new()),
            None => {
                call.beyond_plain |= !matches!(
                    value.text.as_str(),
                    "" | "cache" | "store" | "osxkeychain" | "manager" | "libsecret"
                )
            }
        },
        Key::Loads => call.run_file(value, "", Vec::new()),
        Key::Alias => {
            let via = "git alias".to_owned();
            let place = call.argv.place.clone();
            match word::after(value, "!") {
                Some(text) => call.run(Run::Shell { text, args: Vec::new(), via, place }),
                None => {
                    let mut words = vec![Word::literal("git", call.span())];
                    words.extend(word::fields(value));
                    call.run(Run::Argv {
                        words,
                        assignments: Vec::new(),
                        more_operands: true,
                        via,
                        place,
                        chdir: None,
                        passes_stdin: true,
                    });
                }
            }
        }
        Key::Trust => {
            call.beyond_plain = true;
            call.acts = true;
            let lower = name.text.to_ascii_lowercase();
            // `remote.x.url=ext::COMMAND`, `url.ext::COMMAND.insteadOf=x`.
            let replaced = name.text.strip_prefix("url.").and_then(|rest| rest.rsplit_once('.'));
            let address = match replaced {
                Some((address, _)) => word::instead(name, address.to_owned()),
                None => value.clone(),
            };
            if address.text.contains("::") && (replaced.is_some() || lower.ends_with("url")) {
                remote(call, &address, false);
            }
            if lower.ends_with("sslverify") && matches!(value.text.as_str(), "false" | "0" | "no" | "off") {
                call.finding("shell.tamper", "switches certificate checks off");
            } else if lower.starts_with("protocol") && value.text == "always" {
                call.finding("shell.tamper", "lets git run commands named in URLs");
            } else if lower.starts_with("remote.") && lower.ends_with(".push") && value.text.starts_with('+')
                || lower.ends_with(".mirror") && value.text != "false"
            {
                call.loses("what the remote's branches hold, at every push", RecoverableBy::Reflog);
            } else if lower.ends_with("insteadof") && leads_elsewhere(&name.text, &value.text) {
                call.finding("shell.tamper", "sends git to another host than the one written");
            } else if lower.ends_with(".proxy") && is_strange_proxy(&value.text) {
                call.finding("shell.tamper", format!("sends what git exchanges through {}", value.text));
            } else if lower.ends_with("insteadof") || lower.ends_with("proxy") && !value.text.is_empty() {
                call.remark("shell.shadowed", "sends git to another host than the one written");
            }
        }
    }
}

/// Whether a proxy is another machine than this one; an empty value is none.
fn is_strange_proxy(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let host = host.trim_start_matches('[').split(['/', ']']).next().unwrap_or_default();
    let name = if host.starts_with(':') { host } else { host.split(':').next().unwrap_or_default() };
    !(name.is_empty() || name == "localhost" || name.starts_with("127.") || name == "::1")
}

/// Whether `url.NEW.insteadOf OLD` leads to another host: changing how the same one is reached is everyday work.
pub(super) fn leads_elsewhere(key: &str, old: &str) -> bool {
    let host = |url: &str| {
        let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
        let name = rest.split(['/', ':']).next().unwrap_or_default();
        let name = name.rsplit('@').next().unwrap_or_default();
        (name.contains('.') && !name.contains('…')).then(|| name.to_ascii_lowercase())
    };
    let middle = key.split_once('.').and_then(|(_, rest)| rest.rsplit_once('.')).map(|(url, _)| url);
    // `https://token@host:443/`: the credentials may hold a colon.
    let new = middle.and_then(|url| host(url.rsplit('@').next().unwrap_or(url)));
    matches!((new, host(old)), (Some(new), Some(old)) if new != old)
}

pub(in crate::programs) fn config(call: &mut Call<'_>) {
    let mut operands = call.operands.clone();
    let verb = operands.first().map(|first| first.text.clone()).unwrap_or_default();
    let modern = matches!(
        verb.as_str(),
        "list" | "get" | "set" | "unset" | "rename-section" | "remove-section" | "edit"
    ) && !verb.contains('.');
    if modern {
        operands.remove(0);
    }
    // The spec says which options only read.
    let reads = call.nature == Nature::Reads
        || matches!(verb.as_str(), "list" | "get") && modern
        || operands.len() == 1 && !modern && !call.any(&["--unset", "--unset-all", "--remove-section", "-e"]);
    if let Some(file) = call.value("-f") {
        if reads { call.read(&file) } else { call.write(&file, WriteMode::InPlace) }
    }
    if reads {
        call.nature = Nature::Reads;
        return;
    }
    if let (Some(name), Some(value)) = (operands.first(), operands.get(1))
        && !call.any(&["--unset", "--unset-all", "--remove-section", "--rename-section"])
    {
        set_key(call, name, value);
        if call.any(&["--global", "--system"]) && !matches!(key(&name.text), Key::Harmless) {
            call.finding("shell.persistence", "changes git for every repository");
        }
        // A key that names a program is a write of a protected name: later git commands run what it says.
        let own = !call.any(&["--global", "--system"]) && call.value("-f").is_none();
        if own && names_a_program(name, value) {
            call.write_named(".git/config", WriteMode::InPlace);
        }
    }
}

/// Whether git would run something because of this setting; one that isn't known exactly might.
pub(super) fn names_a_program(name: &Word, value: &Word) -> bool {
    let (Some(name), Some(value)) = (name.known(), value.known()) else { return true };
    match setting_runs(name, value) {
        None => false,
        Some((SettingRuns::Hooks(_), _)) => true,
        // An alias of git's own words runs git, unless it brings settings along.
        Some((SettingRuns::Shell(text), Reached::ByName)) => {
            value.starts_with('!') || text.contains(" -c") || text.contains("--config-env")
        }
        Some((SettingRuns::Shell(text), _)) => {
            !matches!(
                text.as_str(),
                "git credential-cache" | "git credential-store" | "git-lfs filter-process"
            ) && !text.starts_with("git-lfs ")
        }
    }
}
