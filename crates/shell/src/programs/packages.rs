//! Packages: what is installed, from where, and whether their scripts run; and tools that are fetched to be run.

use doorward_core::intent::{Direction, InstallSource};
use doorward_knowledge::row::Nature;

use crate::deed::Word;

use super::call::Call;
use super::word;

fn flag(call: &Call<'_>, names: &[&str]) -> bool {
    call.argv.words.iter().skip(1).any(|word| {
        names.contains(&word.text.as_str())
            || word.text.split_once('=').is_some_and(|(name, _)| names.contains(&name))
    })
}

/// The word after an option, or attached with `=`.
fn option(call: &Call<'_>, names: &[&str]) -> Option<Word> {
    call.argv.words.iter().enumerate().skip(1).find_map(|(at, word)| {
        if names.contains(&word.text.as_str()) {
            return call.argv.words.get(at + 1).cloned();
        }
        word::halves(word, '=')
            .filter(|(name, _)| names.contains(&name.text.as_str()))
            .map(|(_, value)| value)
    })
}

/// Where a package's name says it comes from.
fn source_of(name: &str) -> InstallSource {
    if name.contains("://")
        || name.starts_with("git+")
        || name.starts_with("github:")
        || name.starts_with("git@")
    {
        InstallSource::Url
    } else if name.starts_with(['.', '/', '~'])
        || [".tgz", ".whl", ".deb", ".rpm", ".gem", ".tar.gz", ".pkg", ".apk"]
            .iter()
            .any(|end| name.ends_with(end))
    {
        InstallSource::Path
    } else {
        InstallSource::Registry
    }
}

/// The address that a package's name stands for: `git+URL`, `github:user/repository`.
fn address_of(package: &Word) -> Word {
    let forge = package.text.strip_prefix("github:");
    match forge {
        Some(path) => word::instead(package, format!("https://github.com/{path}")),
        None => word::after(package, "git+").unwrap_or_else(|| package.clone()),
    }
}

pub(super) fn install(call: &mut Call<'_>, packages: &[Word], scripts: bool, system: bool, registry: &str) {
    let worst =
        packages.iter().map(|word| source_of(&word.text)).fold(None, |worst, source| match (worst, source) {
            (Some(InstallSource::Url), _) | (_, InstallSource::Url) => Some(InstallSource::Url),
            (Some(InstallSource::Registry), _) | (_, InstallSource::Registry) => {
                Some(InstallSource::Registry)
            }
            (_, source) => Some(source),
        });
    for package in packages {
        match source_of(&package.text) {
            InstallSource::Url => {
                let url = address_of(package);
                call.contact(&url, "https", Direction::Fetch, Vec::new());
            }
            InstallSource::Path => call.read(package),
            _ => {}
        }
    }
    let names = packages.iter().map(|word| word.text.clone()).collect();
    call.install(names, worst.unwrap_or(InstallSource::Lockfile), scripts, system);
    if worst != Some(InstallSource::Path) && !registry.is_empty() {
        call.contact_named(registry, "https", Direction::Fetch);
    }
    for url in
        ["--registry", "--index-url", "-i", "--extra-index-url", "--source", "--index", "-f", "--find-links"]
    {
        if let Some(url) = option(call, &[url]).filter(|url| url.text.contains("://")) {
            call.contact(&url, "https", Direction::Fetch, Vec::new());
            call.beyond_plain = true;
            // An index that the packages' makers themselves name in their manuals.
            if super::environment::is_usual_index(&url.text) {
                continue;
            }
            if let Some(install) = call.deeds.installs.last_mut() {
                install.source = InstallSource::Url;
            }
        }
    }
}

impl Call<'_> {
    /// A build folder that the tool itself made.
    pub(super) fn write_own_delete(&mut self, folder: &str) {
        let word = Word::literal(folder, self.span());
        self.delete(&word, true, true);
        self.nature = Nature::Named;
    }
}

/// What `npx`, `npm exec`, `npm create` and their kin fetch and run: shell text, or a package and its words.
pub(super) fn remote_tool(call: &mut Call<'_>) {
    // pipx has no such option: its package may. What stands behind the package of npx and its kin is the package's.
    let first = call.operands.first().filter(|word| !word.text.starts_with('-')).map(|word| word.span.start);
    let is_own = |text: &Word| {
        !matches!(call.program.as_str(), "npx" | "pnpx" | "bunx" | "uvx")
            || first.is_none_or(|first| text.span.start <= first)
    };
    let text = option(call, &["-c", "--call"])
        .filter(|text| text.text != call.spelled && call.program != "pipx" && is_own(text));
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

/// Packages of npm that share their name with a program of the system and are something else.
const NAMESAKES: &[&str] = &["at", "service", "sv", "ts"];

/// Packages of npm with a program of another name: the coding agents.
const PROGRAMS_OF: &[(&str, &str)] = &[
    ("@anthropic-ai/claude-code", "claude"),
    ("@charmland/crush", "crush"),
    ("@github/copilot", "copilot"),
    ("@google/gemini-cli", "gemini"),
    ("@openai/codex", "codex"),
    ("@qwen-code/qwen-code", "qwen"),
    ("@sourcegraph/amp", "amp"),
    ("opencode-ai", "opencode"),
];

/// The program of a package: `name@version` has one of its own name, unless it is listed.
fn program_of(package: &str) -> &str {
    let is_listed = |name: &&(&str, &str)| {
        package.strip_prefix(name.0).is_some_and(|rest| rest.is_empty() || rest.starts_with('@'))
    };
    let bare = || package.trim_start_matches('@').split('@').next().unwrap_or_default();
    PROGRAMS_OF.iter().find(is_listed).map_or_else(bare, |(_, program)| program)
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
        call.contact(&address_of(&package), "https", Direction::Fetch, Vec::new());
        call.finding("shell.remote_code", "runs a package from a URL");
        return;
    }
    // What a linter's or a test runner's name means is known; the words are judged under it.
    let bare = words.first().map(|first| program_of(&first.text).to_owned()).unwrap_or_default();
    if super::lookup(&bare).is_some() && !NAMESAKES.contains(&bare.as_str()) && !words.is_empty() {
        let mut words = words;
        if let Some(first) = words.first_mut() {
            first.text = bare;
        }
        call.transparent();
        call.run_argv(words);
        call.beyond_plain = false;
        return;
    }
    super::unknown::command_line_of(call, words.get(1..).unwrap_or_default());
    install(call, &[package], true, false, "");
}

#[cfg(test)]
mod tests {
    use super::super::compact::check;

    #[test]
    fn installs_name_their_source() {
        check(&[
            ("npx -y https://a.example/run.tgz", "fetch a.example; remote_code"),
            ("npx prettier x", "argv prettier x; transparent"),
            ("go run x@latest", "fetch proxy.golang.org; remote_code"),
            ("go test ./...", "file go.mod; plain"),
            ("apt-get install -y x", "fetch servers of apt-get; privilege root; install registry x"),
            (
                "apt -o APT::Update::Pre-Invoke::='touch x' update",
                "fetch servers of apt; privilege root; sh touch x",
            ),
            ("brew install x", "fetch formulae.brew.sh; install registry x; plain"),
            ("dpkg -l", "read-only"),
        ]);
    }
}
