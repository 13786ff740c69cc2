//! Sub-commands of git that speak with other repositories: fetch, push, clone, remotes and sub-modules.

use doorward_core::intent::{Direction, RecoverableBy, WriteMode};

use crate::deed::Word;
use crate::programs::call::Call;
use crate::programs::row::Nature;
use crate::programs::{url, word};

use super::*;

/// What an operand or option names as a remote: an address, a folder, or a name of the configuration.
pub(in crate::programs) fn remote(call: &mut Call<'_>, target: &Word, sent: bool) {
    contact(call, Some(target.clone()), if sent { Direction::Send } else { Direction::Fetch });
    if sent {
        as_git(call);
    }
}

/// A remote by name or URL.
fn contact(call: &mut Call<'_>, target: Option<Word>, direction: Direction) {
    let Some(target) = target else {
        return call.contact_remote("origin", "git", direction);
    };
    if let Some(text) = word::after(&target, "ext::") {
        // `% ` is a space inside a word, `%%` a percent sign (git-remote-ext(1)).
        call.finding("shell.obfuscated", "git runs a command as its transport");
        let words: Vec<Word> = text
            .text
            .replace("%%", "\u{1}")
            .replace("% ", "\u{2}")
            .split(' ')
            .filter(|part| !part.is_empty())
            .map(|part| word::instead(&text, part.replace('\u{2}', " ").replace('\u{1}', "%")))
            .collect();
        return call.run_argv(words);
    }
    if let Some((helper, _)) = target.text.split_once("::")
        && !helper.contains(['/', '[', '@'])
    {
        call.finding("shell.obfuscated", format!("git runs the helper git-remote-{helper}"));
        return;
    }
    if url::is_remote(&target.text) {
        let host = url::scp_host(&target.text).filter(|_| !target.text.contains("://"));
        match host {
            Some(host) => {
                let mut word = target.clone();
                word.text = host.to_owned();
                call.contact(&word, "ssh", direction, Vec::new());
                if let Some(last) = call.deeds.hosts.last_mut() {
                    last.url = Some(target.text.clone());
                }
            }
            None => call.contact(&target, "git", direction, Vec::new()),
        }
    } else if target.text.starts_with(['/', '.', '~']) || target.text.starts_with("file://") {
        if direction == Direction::Send {
            call.write(&target, WriteMode::InPlace)
        } else {
            call.read(&target)
        }
    } else if target.known().is_none() {
        call.contact_unknown("git", direction);
    } else {
        call.contact_remote(&target.text, "git", direction);
    }
}

/// `git fetch`, `pull` and `ls-remote`.
pub(in crate::programs) fn fetches(call: &mut Call<'_>) {
    contacts(call, Direction::Fetch);
}

fn contacts(call: &mut Call<'_>, direction: Direction) {
    if call.has("--get-url") {
        return;
    }
    let target = call.operand(0);
    contact(call, target, direction);
    if call.path.last() == Some(&"fetch") {
        let forced = call.has("-f");
        call.beyond_plain |= forced;
        // `+x:y`: the local branch y is set to what arrives, whatever it held.
        let overwrites = call.operands.iter().skip(1).any(|spec| {
            (forced || spec.text.starts_with('+'))
                && spec.text.split_once(':').is_some_and(|(_, to)| {
                    !to.is_empty() && (!to.starts_with("refs/") || to.starts_with("refs/heads/"))
                })
        });
        if overwrites {
            call.loses("where local branches pointed", RecoverableBy::Reflog);
        }
    }
}

pub(super) const DEFAULT_BRANCHES: &[&str] =
    &["main", "master", "trunk", "default", "develop", "production", "prod", "release"];

/// Bytes go out through git, whatever carries them.
fn as_git(call: &mut Call<'_>) {
    for host in call.deeds.hosts.iter_mut().filter(|host| host.configured_remote.is_none()) {
        if !host.scheme.starts_with("git") {
            host.scheme = format!("git+{}", host.scheme);
        }
    }
}

pub(in crate::programs) fn push(call: &mut Call<'_>) {
    let target = call.operand(0).or_else(|| call.value("--repo"));
    contact(call, target, Direction::Send);
    as_git(call);
    if call.has("-n") {
        return;
    }
    let refspecs = call.operands_from(1);
    let leased = call.any(&["--force-with-lease", "--force-if-includes"]);
    let forced = call.has("-f") || refspecs.iter().any(|spec| spec.text.starts_with('+'));
    let deleted = call.any(&["-d", "--mirror", "--prune"])
        || refspecs.iter().any(|spec| spec.text.starts_with(':') && spec.text.len() > 1);
    let to_default = refspecs.iter().any(|spec| {
        let name = spec
            .text
            .rsplit(':')
            .next()
            .unwrap_or_default()
            .trim_start_matches("refs/heads/")
            .trim_start_matches('+');
        DEFAULT_BRANCHES.contains(&name)
    });
    if deleted {
        call.loses("branches or tags of the remote", RecoverableBy::Reflog);
    } else if forced {
        call.loses("what the remote branch held", RecoverableBy::Reflog);
    } else if leased && to_default {
        call.loses("what the default branch of the remote held", RecoverableBy::Reflog);
    }
}

pub(in crate::programs) fn clone(call: &mut Call<'_>) {
    for setting in call.values("-c") {
        if let Some((name, value)) = word::halves(&setting, '=') {
            set_key(call, &name, &value);
        }
    }
    let Some(source) = call.operand(0) else { return };
    contact(call, Some(source.clone()), Direction::Fetch);
    match call.operand(1) {
        Some(folder) => call.write(&folder, WriteMode::Create),
        None => {
            let name = source
                .text
                .trim_end_matches('/')
                .trim_end_matches(".git")
                .rsplit(['/', ':'])
                .next()
                .unwrap_or_default()
                .to_owned();
            if !name.is_empty() {
                call.write_named(&name, WriteMode::Create);
            }
        }
    }
    // The clone's target is what the command is for.
    call.deeds.writes.iter_mut().for_each(|write| write.downloaded = true);
    call.nature = Nature::Named;
}

/// `git submodule foreach COMMAND`: the command has options of its own, so the words are taken as they stand.
pub(in crate::programs) fn each_submodule(call: &mut Call<'_>) {
    let own = |word: &&Word| matches!(word.text.as_str(), "--recursive" | "-q" | "--quiet");
    let words = call.argv.words.iter().skip_while(|word| word.text != "foreach").skip(1);
    let words: Vec<Word> = words.skip_while(own).cloned().collect();
    call.strangers.clear();
    if let Some(text) = word::join(&words) {
        call.run_shell(text);
    }
}
