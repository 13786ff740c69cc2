//! Package managers: what is installed, from where, and whether scripts of the packages run.

use doorward_core::intent::{Code, Direction, InstallSource, WriteMode};

use crate::deed::Word;

use super::call::Call;
use super::row::Nature;
use super::word;

pub(super) mod node;
pub(super) mod python;
mod system;

pub(super) use node::{npx, registry};
pub(super) use python::gem;
pub(super) use system::{nix, system, tool_versions};

pub(super) use node::run_remote_tool;

pub(in crate::programs) fn rustup(call: &mut Call<'_>) {
    tool_versions(
        call,
        &[
            "show",
            "which",
            "doc",
            "--version",
            "check",
            "target list",
            "toolchain list",
            "component list",
            "help",
            "-V",
        ],
    )
}

pub(in crate::programs) fn nvm(call: &mut Call<'_>) {
    // `direnv exec FOLDER COMMAND`.
    if call.program == "direnv" && call.first() == Some("exec") {
        return super::wrappers::tail(call, 2);
    }
    if matches!(call.first(), Some("exec" | "run")) {
        return super::wrappers::tail(call, 1);
    }
    if call.program == "direnv" && matches!(call.first(), Some("allow" | "permit" | "grant")) {
        let file = call.operand(1).map_or_else(|| ".envrc".to_owned(), |file| file.text);
        return call.run_own(&file, Code::Shell);
    }
    tool_versions(
        call,
        &[
            "ls",
            "list",
            "current",
            "version",
            "versions",
            "which",
            "whence",
            "--version",
            "root",
            "prefix",
            "init",
            "init -",
            "hook",
            "status",
            "export",
            "where",
            "alias",
            "help",
            "plugin list",
        ],
    );
}

/// Words that aren't options.
fn plain(call: &Call<'_>) -> Vec<Word> {
    call.operands.iter().filter(|word| !word.text.starts_with('-')).cloned().collect()
}

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

fn install(call: &mut Call<'_>, packages: &[Word], scripts: bool, system: bool, registry: &str) {
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
                let url = word::after(package, "git+").unwrap_or_else(|| package.clone());
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
            if let Some(install) = call.deeds.installs.last_mut() {
                install.source = InstallSource::Url;
            }
        }
    }
}

/// `cargo --config`: settings that name a program, or a file of settings.
pub(super) fn configures(call: &mut Call<'_>) {
    if !call.deeds.runs.is_empty() {
        // The row of the program said it.
        return;
    }
    for config in call.values("--config") {
        let Some((name, value)) = word::halves(&config, '=') else {
            call.run_file(&config, "", Vec::new());
            continue;
        };
        let name = name.text.trim();
        let value = word::instead(&value, value.text.trim().trim_matches(['"', '\'']).to_owned());
        let says = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        if says(&["rustc", "wrapper", "runner", "linker", "rustdoc", "credential-provider"]) {
            call.run_program(&value);
        } else if name.starts_with("alias") || says(&["rustflags", "source", "registr"]) {
            call.beyond_plain = true;
        }
    }
}

/// `cargo install`: from the registry, a repository or a folder.
pub(super) fn installs_crates(call: &mut Call<'_>) {
    let named = ["--git", "--registry", "--index", "--path"].iter().find_map(|name| call.value(name));
    let sources = named.map_or_else(|| call.operands.clone(), |source| vec![source]);
    install(call, &sources, true, false, "index.crates.io");
}

/// `twine`: what changes PyPI, or the index that an option names.
pub(in crate::programs) fn twine(call: &mut Call<'_>) {
    let verb = plain(call).first().map(|verb| verb.text.clone()).unwrap_or_default();
    if option(call, &["-r", "--repository", "--repository-url", "--config-file", "--cert"]).is_some() {
        call.beyond_plain = true;
    }
    match verb.as_str() {
        "upload" => registry(call, "upload.pypi.org", "upload"),
        "check" => call.nature = Nature::Reads,
        _ => call.beyond_plain = true,
    }
}

/// What changes crates.io.
pub(super) fn publishes_crates(call: &mut Call<'_>) {
    registry(call, "crates.io", call.spelled);
}

impl Call<'_> {
    /// A build folder that the tool itself made.
    pub(super) fn write_own_delete(&mut self, folder: &str) {
        let word = Word::literal(folder, self.span());
        self.delete(&word, true, true);
        self.nature = Nature::Named;
    }
}

pub(in crate::programs) fn go(call: &mut Call<'_>) {
    let words = plain(call);
    let verb = words.first().map(|verb| verb.text.clone()).unwrap_or_default();
    for name in ["-exec", "-toolexec", "-vettool", "-overlay"] {
        if let Some(text) = option(call, &[name]) {
            if name == "-overlay" { call.run_file(&text, "", Vec::new()) } else { call.run_program(&text) }
        }
    }
    match verb.as_str() {
        "build" | "test" | "vet" | "generate" | "tool" | "bug" | "fix" => {
            call.run_own("go.mod", Code::None);
            if let Some(output) = option(call, &["-o", "-coverprofile", "-cpuprofile", "-memprofile"]) {
                call.beyond_plain = true;
                call.write(&output, WriteMode::Create);
            }
        }
        "run" => match words.get(1).filter(|target| target.text.contains('@') || target.text.contains("://"))
        {
            Some(target) => {
                let target = target.clone();
                call.contact_named("proxy.golang.org", "https", Direction::Fetch);
                call.finding("shell.remote_code", format!("runs {} from the network", target.text));
            }
            None => match words.get(1).filter(|target| target.text.ends_with(".go")) {
                Some(file) => {
                    let file = file.clone();
                    call.run_file(&file, "go", Vec::new());
                    call.beyond_plain = false;
                }
                None => call.run_own("go.mod", Code::None),
            },
        },
        "get" | "install" => install(
            call,
            &words.iter().skip(1).filter(|word| !word.text.starts_with('.')).cloned().collect::<Vec<_>>(),
            false,
            false,
            "proxy.golang.org",
        ),
        "mod" | "work" => {
            if words.get(1).is_some_and(|word| matches!(word.text.as_str(), "graph" | "why" | "verify")) {
                call.nature = Nature::Reads;
            } else if words
                .get(1)
                .is_some_and(|word| matches!(word.text.as_str(), "download" | "tidy" | "vendor"))
            {
                call.contact_named("proxy.golang.org", "https", Direction::Fetch);
            }
        }
        "fmt" | "clean" => {}
        "env" => {
            if call.operands.iter().any(|word| matches!(word.text.as_str(), "-w" | "-u")) {
                call.beyond_plain = true;
            } else {
                call.nature = Nature::Reads;
            }
        }
        "version" | "list" | "doc" | "help" | "" => call.nature = Nature::Reads,
        _ => {
            let word = words.first().cloned().unwrap_or_default();
            call.unknown_sub(&word);
        }
    }
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
