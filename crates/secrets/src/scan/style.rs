//! Determines the kind of text in a file from its name.

use crate::assign::Style;

const SOURCE: &[&str] = &[
    "rs", "c", "h", "cc", "cpp", "hpp", "cxx", "py", "pyi", "js", "mjs", "cjs", "jsx", "ts", "tsx", "go",
    "java", "kt", "kts", "scala", "rb", "php", "cs", "fs", "vb", "swift", "m", "mm", "dart", "lua", "pl",
    "pm", "r", "jl", "ex", "exs", "erl", "hs", "ml", "clj", "sql", "vue", "svelte", "zig", "nim", "sol",
    "groovy", "gradle", "css", "scss", "less", "html", "htm", "md", "rst", "adoc", "s", "asm", "proto",
    "wat", "def", "in", "json", "ipynb", "map", "svg", "xml", "csv", "tsv", "lock", "sum", "snap", "stderr",
    "stdout", "txt", "inc", "tcl", "el", "lisp", "erb", "haml", "po", "pot", "patch", "diff", "1", "3", "8",
];
const CONFIG: &[&str] = &[
    "env",
    "ini",
    "cfg",
    "conf",
    "properties",
    "yaml",
    "yml",
    "toml",
    "tf",
    "tfvars",
    "tfstate",
    "sh",
    "bash",
    "zsh",
    "fish",
    "ps1",
    "bat",
    "npmrc",
    "pypirc",
    "netrc",
    "envrc",
    "secrets",
    "credentials",
];

/// The kind of text in a file with this name.
#[must_use]
pub fn style_of(path: &str) -> Style {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    if name.starts_with(".env") || name == "Dockerfile" || CONFIG.contains(&extension.as_str()) {
        Style::Config
    } else if SOURCE.contains(&extension.as_str()) {
        Style::Source
    } else {
        Style::Unknown
    }
}

/// Lock files, bundles, vendored trees, images: full of random-looking values that aren't secrets. Providers'
/// formats still count.
pub(crate) fn is_generated(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    const NAMES: &[&str] = &[
        "go.sum",
        "package-lock.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "cargo.lock",
        "poetry.lock",
        "gemfile.lock",
        "composer.lock",
        "pipfile.lock",
        "npm-shrinkwrap.json",
        "flake.lock",
        "uv.lock",
        ".cargo-checksum.json",
        ".cargo_vcs_info.json",
    ];
    const ENDS: &[&str] = &[
        ".min.js",
        ".min.css",
        ".map",
        ".svg",
        ".png",
        ".jpg",
        ".jpeg",
        ".gif",
        ".ico",
        ".woff",
        ".woff2",
        ".ttf",
        ".otf",
        ".eot",
        ".pdf",
        ".bundle.js",
        "-min.js",
        ".snap",
        ".ipynb",
    ];
    let folder = |folder: &str| path.starts_with(&folder[1..]) || path.contains(folder);
    NAMES.contains(&name.as_str())
        || ENDS.iter().any(|end| name.ends_with(end))
        || ["/node_modules/", "/vendor/", "/third_party/", "/bower_components/"]
            .iter()
            .any(|name| folder(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_kind() {
        for (path, style) in [
            ("a/b.rs", Style::Source),
            (".env.local", Style::Config),
            ("x/Dockerfile", Style::Config),
            ("prod.tfvars", Style::Config),
            ("README", Style::Unknown),
        ] {
            assert_eq!(style_of(path), style, "{path}");
        }
        assert!(
            is_generated("x/node_modules/y.js") && is_generated("Cargo.lock") && !is_generated("src/lock.rs")
        );
    }
}
