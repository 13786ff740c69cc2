//! Package managers: what is installed, from where, and whether scripts of the packages run.

use doorward_core::intent::{Code, Direction, InstallSource};

use crate::deed::Word;

use super::call::Call;
use super::row::Nature;
use super::word;

pub(super) mod node;
pub(super) mod python;
mod system;

pub(super) use node::{npx, registry};
pub(super) use system::{nix, system};

pub(super) use node::run_remote_tool;

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
