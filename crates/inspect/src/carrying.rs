//! Whether a call that contacts a host could carry something of what its session read.
//!
//! A plain request for an address that stands in the text carries that text and nothing else. So where every host is
//! fetched from by such a request, or by a program that names its own host (a package manager, a remote of the
//! repository), the secret and the host merely occur in one session. Everything that isn't proved could carry: bodies,
//! headers, files, variables, code, queries, and addresses with words that look like data. That the text itself holds a
//! value of the secret, in any form that is recognised, is the session's flows to tell.

use doorward_core::call::ToolCall;
use doorward_core::effect::{Effects, HostClass, HostEffect};
use doorward_core::intent::{Code, Direction, InstallSource, Origin, SimpleCommand};

use crate::tools::CallKind;

/// What a program that fetches may be told without sending anything: letters of flags, flags, and options whose value
/// stays here. Sources: the manuals of curl 8.5 and wget 1.24.
struct Fetcher {
    program: &'static str,
    letters: &'static str,
    flags: &'static [&'static str],
    values: &'static [&'static str],
}

const FETCHERS: &[Fetcher] = &[
    Fetcher {
        program: "curl",
        letters: "46IJLOSfgksv#",
        flags: &[
            "--compressed",
            "--fail",
            "--fail-with-body",
            "--head",
            "--http1.1",
            "--http2",
            "--insecure",
            "--location",
            "--progress-bar",
            "--remote-name",
            "--show-error",
            "--silent",
            "--verbose",
        ],
        values: &[
            "--connect-timeout",
            "--max-time",
            "--output",
            "--output-dir",
            "--retry",
            "--retry-delay",
            "-m",
            "-o",
        ],
    },
    Fetcher {
        program: "wget",
        letters: "46NScq",
        flags: &[
            "--continue",
            "--https-only",
            "--no-check-certificate",
            "--no-verbose",
            "--quiet",
            "--server-response",
            "--show-progress",
            "--spider",
            "--timestamping",
            "-nc",
            "-nv",
        ],
        values: &["--directory-prefix", "--output-document", "--timeout", "--tries", "-O", "-P", "-T", "-t"],
    },
];

/// Arguments of a fetch tool that its host doesn't get.
const KEPT_HERE: &[&str] =
    &["description", "format", "max_length", "prompt", "raw", "start_index", "timeout", "url"];

/// Whether something of what the session read could travel with this call. False only where it is proved that nothing
/// can.
pub(crate) fn could_carry(call: &ToolCall, kind: CallKind, effects: &Effects) -> bool {
    let is_stranger = |host: &&HostEffect| !matches!(host.class, HostClass::Allowed | HostClass::Loopback);
    let mut strangers = effects.hosts.iter().filter(is_stranger);
    match kind {
        CallKind::Net => {
            let url = call.arg("url").and_then(host_of);
            url.is_none() || !call.args.keys().all(|name| KEPT_HERE.contains(&name.as_str()))
        }
        CallKind::Command => {
            let commands = &effects.executes;
            let fetched: Vec<&str> = commands.iter().flat_map(plainly_fetched).collect();
            let is_proved = |host: &HostEffect| {
                host.direction == Direction::Fetch
                    && !host.redirected
                    && (fetched.contains(&host.host.as_str())
                        || host.configured
                        || is_registry(host, effects))
            };
            !effects.unknown.is_empty() || !commands.iter().all(is_literal) || !strangers.all(is_proved)
        }
        _ => true,
    }
}

/// Whether all that a command does is in its words.
fn is_literal(command: &SimpleCommand) -> bool {
    command.unknown_words.is_empty()
        && command.assignments.is_empty()
        && command.chooses.is_empty()
        && !matches!(command.code, Code::Language(_))
        && matches!(command.origin, Origin::Literal)
}

/// The registry of a package manager, which no word of the call names.
fn is_registry(host: &HostEffect, effects: &Effects) -> bool {
    let known = |source: &InstallSource| matches!(source, InstallSource::Registry | InstallSource::Lockfile);
    let mut words = effects.executes.iter().flat_map(|command| &command.words);
    !effects.installs.is_empty()
        && effects.installs.iter().all(|install| known(&install.source))
        && !words.any(|word| word.contains(host.host.as_str()) || word.contains("://"))
}

/// The hosts of a command that only requests literal addresses; none if it is another or says more.
fn plainly_fetched(command: &SimpleCommand) -> Vec<&str> {
    let Some(fetcher) = FETCHERS.iter().find(|fetcher| fetcher.program == command.program) else {
        return Vec::new();
    };
    let mut hosts = Vec::new();
    let mut words = command.words.iter().skip(1).map(String::as_str);
    while let Some(word) = words.next() {
        let (option, value) =
            word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value)));
        if !word.starts_with('-') {
            let Some(host) = host_of(word) else { return Vec::new() };
            hosts.push(host);
        } else if fetcher.values.contains(&option) {
            if value.is_none() && words.next().is_none() {
                return Vec::new();
            }
        } else if !fetcher.takes(word) {
            return Vec::new();
        }
    }
    hosts
}

impl Fetcher {
    /// Whether this is a flag, letters of flags, or such letters before one option that takes a value (`-fsSLo`): then the
    /// value is the next word, which has to be an address or a file; a file isn't one, so that form isn't proved.
    fn takes(&self, word: &str) -> bool {
        let letters =
            word.strip_prefix('-').filter(|letters| !letters.is_empty() && !letters.starts_with('-'));
        self.flags.contains(&word)
            || letters.is_some_and(|letters| letters.chars().all(|letter| self.letters.contains(letter)))
    }
}

/// The host of an address that says nothing but where something is: no login, query or fragment, and words that look like
/// words.
fn host_of(address: &str) -> Option<&str> {
    /// Bytes of an address, and words with digits in it.
    const LONGEST: usize = 160;
    const MOST_MIXED: usize = 6;
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))?;
    let is_usual = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '.' | '-' | '_' | '/' | ':');
    if address.len() > LONGEST || !rest.chars().all(is_usual) {
        return None;
    }
    let (place, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = place.split(':').next().unwrap_or(place);
    if path.contains(':') || host.is_empty() {
        return None;
    }
    let mut words =
        host.split(['.', '-']).chain(path.split(['/', '.', '-', '_'])).filter(|word| !word.is_empty());
    let mixed =
        rest.split(['.', '-', '_', '/', ':']).filter(|word| word.contains(|ch: char| ch.is_ascii_digit()));
    (words.all(is_word) && mixed.count() <= MOST_MIXED).then_some(host)
}

/// Whether this reads as a word, a number or a version, and not as data in some coding.
fn is_word(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    if digits > 0 {
        // `v1`, `2024`, `x86`, `utf8`; a date; `SHASUMS256`.
        let stem = word.trim_end_matches(|ch: char| ch.is_ascii_digit());
        let is_numbered = word.len() - stem.len() == digits && digits <= 3 && stem.len() > 3 && is_word(stem);
        return word.len() <= 6 || (word.len() == 8 && digits == 8) || is_numbered;
    }
    let is_vowel = |ch: char| matches!(ch.to_ascii_lowercase(), 'a' | 'e' | 'i' | 'o' | 'u' | 'y');
    let vowels = word.chars().filter(|ch| is_vowel(*ch)).count();
    let longest_run = word.split(is_vowel).map(str::len).max().unwrap_or(0);
    // Capitals inside of a word are letters of a name (`JavaScript`); many of them are a coding.
    let capitals = word.chars().skip(1).filter(char::is_ascii_uppercase).count();
    let is_loud = capitals > 3 && capitals + 1 < word.chars().count();
    word.len() <= 5 || (word.len() <= 24 && vowels * 6 >= word.len() && longest_run <= 5 && !is_loud)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_words_says_nothing_and_one_with_data_may() {
        for address in [
            "https://docs.rs/serde/1.0.200/serde/",
            "https://raw.githubusercontent.com/rust-lang/rust/master/README.md",
            "http://example.com:8080/api/v1/openapi.json",
            "https://developer.mozilla.org/en-US/docs/Web/JavaScript",
            "https://nodejs.org/dist/v22.11.0/SHASUMS256.txt",
            "https://example.com",
        ] {
            assert!(host_of(address).is_some(), "{address}");
        }
        for address in [
            "https://evil.example/?k=v",
            "https://evil.example/x#y",
            "https://user@evil.example/",
            "https://evil.example/c2VjcmV0LXZhbHVl",
            "https://nbswy3dpeb3w64tmmq.evil.example/",
            "https://evil.example/736563726574",
            "https://evil.example/gh%70_x",
            "https://evil.example/a1/b2/c3/d4/e5/f6/g7",
            "https://evil.example/$KEY",
            "https://evil.example/xkcdqwrtzpsdf",
            "ftp://evil.example/x",
            "evil.example",
        ] {
            assert_eq!(host_of(address), None, "{address}");
        }
    }

    #[test]
    fn only_a_plain_request_is_one() {
        let hosts = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let program = words[0].clone();
            let command = SimpleCommand { words, program, ..SimpleCommand::default() };
            plainly_fetched(&command).len()
        };
        for line in [
            "curl -fsSL https://docs.example/api.md",
            "curl -s --max-time 10 -o api.md https://docs.example/api.md",
            "wget -q -O api.md https://docs.example/api.md",
            "curl --output=x https://docs.example/api.md",
        ] {
            assert_eq!(hosts(line), 1, "{line}");
        }
        for line in [
            "curl -d x https://docs.example/api.md",
            "curl -H X:y https://docs.example/api.md",
            "curl -T f https://docs.example/api.md",
            "curl -b jar https://docs.example/",
            "curl -K config https://docs.example/",
            "curl -x proxy https://docs.example/",
            "curl -u me https://docs.example/",
            "curl -A agent https://docs.example/",
            "curl -X POST https://docs.example/",
            "curl -n https://docs.example/",
            "curl -o",
            "curl https://docs.example/ file",
            "wget --post-file=f https://docs.example/",
            "wget -i list https://docs.example/",
            "nc docs.example 80",
        ] {
            assert_eq!(hosts(line), 0, "{line}");
        }
    }
}
