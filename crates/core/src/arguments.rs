//! Facts found inside text arguments: the files that a patch names and the URLs in a sentence.
//!
//! All crates use these readers, so that listing a call's paths and judging them give the same result.

/// What a patch does to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatchChange {
    /// Creates it or changes its lines.
    Write,
    /// Removes it.
    Delete,
    /// Moves the file named just before to this path.
    MoveTo,
}

/// A file that a patch names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchedFile<'p> {
    /// The path as written in the patch, without git's `a/` and `b/` prefixes.
    pub path: &'p str,
    /// What the patch does to it.
    pub change: PatchChange,
}

/// Headers of the `apply_patch` format, used by Codex and others.
const APPLY_PATCH: &[(&str, PatchChange)] = &[
    ("*** Add File:", PatchChange::Write),
    ("*** Delete File:", PatchChange::Delete),
    ("*** Move to:", PatchChange::MoveTo),
    ("*** Update File:", PatchChange::Write),
];

/// Headers of unified diffs, including those that only git writes.
const UNIFIED: &[(&str, PatchChange)] = &[
    ("+++ ", PatchChange::Write),
    ("--- ", PatchChange::Write),
    ("copy to ", PatchChange::Write),
    ("rename from ", PatchChange::Write),
    ("rename to ", PatchChange::MoveTo),
];

/// The files that a patch names, in order of appearance. Reads `apply_patch` (`*** Update File: p`) and unified
/// diffs. A patch in the first format is never read as the second, since its content lines may look like diff
/// headers.
#[must_use]
pub fn patched_files(patch: &str) -> Vec<PatchedFile<'_>> {
    let named = files_after(patch, APPLY_PATCH);
    if !named.is_empty() {
        return named;
    }
    let mut named = files_after(patch, UNIFIED);
    for file in &mut named {
        file.path =
            file.path.strip_prefix("a/").or_else(|| file.path.strip_prefix("b/")).unwrap_or(file.path);
    }
    named
}

fn files_after<'p>(patch: &'p str, headers: &[(&str, PatchChange)]) -> Vec<PatchedFile<'p>> {
    let named = patch.lines().filter_map(|line| {
        let line = line.trim_start();
        let (rest, change) =
            headers.iter().find_map(|(header, change)| Some((line.strip_prefix(header)?, *change)))?;
        // diff(1) writes a tab and the time after the path.
        let path = rest.split('\t').next().unwrap_or(rest).trim();
        (!path.is_empty() && path != "/dev/null").then_some(PatchedFile { path, change })
    });
    named.collect()
}

/// The URLs in free text: every word with `://`, without surrounding brackets, quotes and full stops.
pub fn urls_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|ch: char| {
        ch.is_whitespace() || matches!(ch, '<' | '>' | '"' | '\'' | '`' | '(' | ')' | '[' | ']')
    })
    .filter(|word| word.contains("://"))
    .map(|word| word.trim_end_matches(['.', ',', ';', '!', '?']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(patch: &str) -> Vec<(&str, PatchChange)> {
        patched_files(patch).iter().map(|file| (file.path, file.change)).collect()
    }

    #[test]
    fn every_file_of_a_patch_is_found() {
        use PatchChange::{Delete, MoveTo, Write};
        let apply = "*** Begin Patch\n*** Update File: a/a.rs\n*** Move to: src/b.rs\n@@\n-- old\n+new\n\
                     *** Delete File: c\n  *** Add File: d\n+--- not/a/header\n*** End Patch\n";
        assert_eq!(paths(apply), [("a/a.rs", Write), ("src/b.rs", MoveTo), ("c", Delete), ("d", Write)]);
        let unified =
            "diff --git a/x b/x\n--- a/x\t2026-01-01\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ y\n";
        assert_eq!(paths(unified), [("x", Write), ("x", Write), ("y", Write)]);
        let renamed = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
        assert_eq!(paths(renamed), [("x", Write), ("y", MoveTo)]);
        assert!(paths("just text\n").is_empty());
    }

    #[test]
    fn urls_are_found_in_sentences() {
        let text = "See <https://a.example/x>, (http://b.example) and 'ftp://c.example/d'.";
        let found: Vec<&str> = urls_in(text).collect();
        assert_eq!(found, ["https://a.example/x", "http://b.example", "ftp://c.example/d"]);
    }
}
