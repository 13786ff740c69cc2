//! Other repositories as git names them, and what `git clone` makes of one.

use doorward_core::intent::{Direction, WriteMode};
use doorward_knowledge::row::Nature;

use crate::deed::Word;
use crate::programs::call::Call;
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

/// Bytes go out through git, whatever carries them.
fn as_git(call: &mut Call<'_>) {
    for host in call.deeds.hosts.iter_mut().filter(|host| host.configured_remote.is_none()) {
        if !host.scheme.starts_with("git") {
            host.scheme = format!("git+{}", host.scheme);
        }
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
