//! The place of a finding: tests, examples and manuals contain many keys and passwords that give access to nothing.
//!
//! Findings there are listed separately and don't count, unless requested. This applies only to keys, tokens
//! without a provider, and passwords. A provider's token counts anywhere, unless it contains the word `EXAMPLE`, as
//! in the samples of AWS's manuals. Places matter only in reports; redaction and the gate ignore them.

use std::path::Path;

use crate::detect::Hit;
use crate::value;

/// The reason given for a finding that doesn't count because of its place.
pub(crate) const SAMPLE: &str = "in a test, an example or a manual";

const FOLDERS: &[&str] = &[
    "__fixtures__",
    "__mocks__",
    "__tests__",
    "bench",
    "benches",
    "doc",
    "docs",
    "e2e",
    "example",
    "examples",
    "fixture",
    "fixtures",
    "man",
    "mocks",
    "sample",
    "samples",
    "spec",
    "specs",
    "test",
    "test-data",
    "test_data",
    "testdata",
    "testing",
    "tests",
];

/// Properties of a text that its path shows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    sample: bool,
    rust: bool,
    python: bool,
    workflow: bool,
}

impl Place {
    /// The place of a file, relative to the folder given by the user: naming a place explicitly includes it.
    pub(crate) fn of(path: &str, roots: &[std::path::PathBuf]) -> Self {
        let inner = |root: &Path| {
            let rest = path.strip_prefix(root.to_str()?.trim_end_matches('/'))?;
            (rest.is_empty() || rest.starts_with('/')).then_some(rest)
        };
        let inside =
            roots.iter().filter_map(|root| inner(root)).min_by_key(|rest| rest.len()).unwrap_or(path);
        let (folders, name) = inside.rsplit_once(['/', '!']).unwrap_or(("", inside));
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let test_file = ["_test", ".test", "-test", "_spec", ".spec", "Test", "Tests"]
            .iter()
            .any(|end| stem.ends_with(end))
            || stem.starts_with("test_")
            || stem.starts_with("example")
            || matches!(stem, "conftest" | "tests" | "test");
        let manual = matches!(extension, "md" | "rst" | "adoc" | "mdx" | "pod")
            || stem.starts_with("README")
            || matches!(name, "PKG-INFO" | "METADATA");
        Self {
            sample: folders.split(['/', '!']).any(|folder| FOLDERS.contains(&folder)) || test_file || manual,
            rust: extension == "rs",
            python: matches!(extension, "py" | "pyi"),
            workflow: folders.split('/').any(|folder| folder == ".github"),
        }
    }

    /// Whether such a hit is normal here.
    pub(crate) fn explains(self, hit: &Hit, text: &[u8]) -> bool {
        if self.workflow && hit.is_stock() || text.get(hit.start..hit.end).is_some_and(value::sample) {
            return true;
        }
        hit.is_common()
            && (self.sample
                || self.rust && tested(text, hit.start)
                || self.python && described(text, hit.start))
    }
}

/// Whether `pos` is in the unit tests of a Rust file or in documentation.
fn tested(text: &[u8], pos: usize) -> bool {
    let head = text.get(..pos).unwrap_or_default();
    let line = head.rsplit(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_start();
    line.starts_with(b"///")
        || line.starts_with(b"//!")
        || [&b"#[cfg(test)]"[..], b"#[cfg(all(test,"]
            .iter()
            .any(|mark| memchr::memmem::find(head, mark).is_some())
}

/// Whether `pos` is in a triple-quoted string that begins its line, such as a Python docstring.
fn described(text: &[u8], pos: usize) -> bool {
    let head = text.get(..pos).unwrap_or_default();
    let mut open: Option<(&[u8], bool)> = None;
    let mut from = 0;
    while let Some(at) =
        memchr::memchr2(b'"', b'\'', head.get(from..).unwrap_or_default()).map(|at| from + at)
    {
        let three = head.get(at..at + 3).filter(|marks| [&b"\"\"\""[..], b"'''"].contains(marks));
        match (three, open) {
            (Some(marks), None) => {
                let line = head.get(..at).unwrap_or_default().rsplit(|byte| *byte == b'\n').next();
                let alone = line
                    .unwrap_or_default()
                    .iter()
                    .all(|byte| byte.is_ascii_whitespace() || matches!(byte, b'r' | b'u'));
                (open, from) = (Some((marks, alone)), at + 3);
            }
            (Some(marks), Some((own, _))) if marks == own => (open, from) = (None, at + 3),
            _ => from = at + 1,
        }
    }
    open.is_some_and(|(_, alone)| alone)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_seen_from_where_the_scan_began() {
        let sample = |path: &str, root: &str| Place::of(path, &[root.into()]).sample;
        for (path, root, expected) in [
            ("tests/keys/a.pem", ".", true),
            ("/home/a/tests/project/src/a.rs", "/home/a/tests/project", false),
            ("/home/a/tests/project/docs/a.txt", "/home/a/tests/project", true),
            ("README.md", ".", true),
            ("README.md", "README.md", false),
            ("src/login_test.go", ".", true),
            ("src/contest.go", ".", false),
            ("deploy/production.env", ".", false),
            ("a.tgz!in/fixtures/x", ".", true),
        ] {
            assert_eq!(sample(path, root), expected, "{path} from {root}");
        }
    }

    #[test]
    fn a_string_that_documents_is_told_from_one_that_is_used() {
        let at = |text: &str| described(text.as_bytes(), text.find("HERE").unwrap());
        assert!(at("def f():\n    \"\"\"Use it so:\n        token = HERE\n"));
        assert!(at("def f():\n    r'''It\"s \"\"\" so: HERE\n"));
        assert!(!at("X = \"\"\"\ntoken = HERE\n"));
        assert!(!at("def f():\n    \"\"\"Use it.\"\"\"\n    token = 'HERE'\n"));
    }
}
