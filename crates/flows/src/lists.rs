//! Checks package lists and lock files for installation sources that aren't well known.
//!
//! Read line by line, because a call may contain only part of a file (an edit, `>>`): `--index-url` and similar
//! options of requirements, addresses of a source in TOML, and package origins in lock files. Sources: the
//! requirements file format of pip, the settings of uv 0.4, Poetry 1.8, PDM 2.15 and Pipenv, the lock files of npm
//! 10, Yarn 1, pnpm 9, Bundler 2.5 and Cargo.

use crate::table::Table;

/// Lower-case keywords of lines whose addresses are installation sources.
const MARKS: &[&str] = words! {
    "--index-url" "--extra-index-url" "--find-links" "-i " "-f " "index-url" "find-links" "\"resolved\""
    "resolved \"" "registry" "tarball:" "remote:" "source \"" "source '" "source = \"registry+"
    "source = \"sparse+"
};

/// TOML sections whose `url` is an installation source; `url` also counts before any section.
const SECTIONS: &[&str] =
    &["tool.uv.index", "tool.poetry.source", "tool.pdm.source", "source", "package.source"];

/// Whether a text names an unknown source.
pub(crate) fn names_foreign(table: &Table, text: &str) -> bool {
    let mut in_sources = true;
    // A shell writes line ends as `\n`.
    text.split('\n').flat_map(|line| line.split("\\n")).any(|line| {
        let line = line.trim_start();
        if line.starts_with('[') && line.trim_end().ends_with(']') {
            let section = line.trim().trim_matches(['[', ']']).trim();
            in_sources = SECTIONS.contains(&section);
            return false;
        }
        let lower = line.to_ascii_lowercase();
        let is_url = lower.strip_prefix("url").is_some_and(|rest| rest.trim_start().starts_with('='));
        let names = (is_url && in_sources) || MARKS.iter().any(|mark| lower.contains(mark));
        names && addresses(line).any(|address| !table.may_be_listed(address))
    })
}

/// The addresses of a line, without the part after `#`.
fn addresses(line: &str) -> impl Iterator<Item = &str> {
    let is_end =
        |ch: char| ch.is_whitespace() || matches!(ch, '"' | '\'' | '`' | ',' | '}' | ')' | ']' | '>' | ';');
    line.split(is_end).filter_map(|word| {
        let word = word.split('#').next().unwrap_or_default();
        let at = word.find("://")?;
        let start =
            word.get(..at)?.rfind(|ch: char| !ch.is_ascii_alphanumeric() && ch != '+').map_or(0, |at| at + 1);
        word.get(start..)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_places_are_told_from_registries_and_from_other_addresses() {
        let table = Table::shipped().unwrap();
        for text in [
            "--index-url https://p.example/simple\nflask==3.0",
            "flask\n--extra-index-url=https://p.example/simple",
            "-i http://pypi.org/simple\nflask",
            "[[tool.uv.index]]\nname = \"x\"\nurl = \"https://p.example/simple\"",
            "[tool.uv]\nindex-url = \"https://p.example/simple\"",
            "printf '[[tool.poetry.source]]\\nurl = \"https://p.example/simple\"\\n' >> pyproject.toml",
            "url = \"https://p.example/simple\"",
            "      \"resolved\": \"https://n.example/left-pad/-/left-pad-1.3.0.tgz\",",
            "  resolved \"https://n.example/left-pad-1.3.0.tgz#abc\"",
            "source = { registry = \"https://p.example/simple\" }",
            "source = \"registry+https://c.example/index\"",
            "source 'https://g.example'",
            "GEM\n  remote: https://g.example/",
        ] {
            assert!(names_foreign(table, text), "{text}");
        }
        for text in [
            "flask==3.0\n# see https://flask.example/docs",
            "--index-url https://pypi.org/simple\nflask",
            "[project.urls]\nHomepage = \"https://x.example\"\nurl = \"https://x.example\"",
            "[project]\nreadme = \"https://x.example\"",
            "      \"resolved\": \"https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz\",",
            "  resolved \"https://registry.yarnpkg.com/left-pad/-/left-pad-1.3.0.tgz#5b8a3a7765dfe\"",
            "source = { registry = \"https://pypi.org/simple\" }",
            "sdist = { url = \"https://files.pythonhosted.org/packages/a/b/c.tar.gz\" }",
            "source = \"registry+https://github.com/rust-lang/crates.io-index\"",
            "source 'https://rubygems.org'",
            "GEM\n  remote: https://rubygems.org/",
            "      \"funding\": { \"url\": \"https://github.com/sponsors/x\" }",
        ] {
            assert!(!names_foreign(table, text), "{text}");
        }
    }
}
