//! Patches: `git apply`, `git am` and patch(1) write the files that the text of the patch names. A patch is read like
//! code: where its text is at hand, its targets are writes like any other.

use doorward_core::intent::{Certainty, Operand, Span, Unknown, WriteIntent, WriteMode};

use crate::deed::{Deeds, Stdin, Word};

use super::call::Call;

/// The language of a patch, followed by how its paths are read: `patch -p1 sub/folder`.
pub(crate) const LANGUAGE: &str = "patch";

/// Options with which these programs only look at a patch.
const LOOKING: &[&str] = &[
    "--check",
    "--dry-run",
    "--numstat",
    "--show-current-patch",
    "--stat",
    "--summary",
    "--abort",
    "--quit",
];

/// Lets the patch that a call applies be read.
pub(super) fn note(call: &mut Call<'_>) {
    let is_patch = call.program == "patch";
    let of_git = call.program == "git" && matches!(call.path.last(), Some(&("apply" | "am")));
    // A file that the call names takes the whole patch; a script for ed(1) is read as one.
    let is_named = is_patch && (!call.operands.is_empty() || call.has("-e"));
    if !(is_patch || of_git) || is_named || call.any(LOOKING) && !call.has("--apply") {
        return;
    }
    let text = |value: Option<Word>| value.map(|word| word.text).unwrap_or_default();
    let strip =
        call.value("-p").map_or(if is_patch { String::new() } else { "1".to_owned() }, |word| word.text);
    let folder = text(call.value(if is_patch { "-d" } else { "--directory" }));
    let language = format!("{LANGUAGE} -p{strip} {folder}");
    let files: Vec<Word> =
        if is_patch { call.value("-i").into_iter().collect() } else { call.operands.clone() };
    for file in &files {
        call.run_file(file, &language, Vec::new());
    }
    // What another program prints is that program's: only a text or a file that is handed over is read.
    if files.is_empty() && matches!(call.argv.stdin, Stdin::Known { .. } | Stdin::File(_)) {
        call.run_stdin(&language, Vec::new());
    }
}

/// What applying a patch writes.
pub(crate) fn describe(language: &str, text: &str, span: Span) -> Deeds {
    let mut words = language.splitn(3, ' ').skip(1);
    let strip = words.next().and_then(|word| word.strip_prefix("-p")).and_then(|number| number.parse().ok());
    let folder = words.next().unwrap_or_default();
    let mut deeds = Deeds { known: true, plain: true, ..Deeds::default() };
    for path in targets(text, strip) {
        let path = if folder.is_empty() { path } else { format!("{}/{path}", folder.trim_end_matches('/')) };
        if deeds.writes.iter().any(|write| write.path.text == path) {
            continue;
        }
        let path = Operand { certainty: Certainty::Exact, ..Operand::literal(&path, span) };
        deeds.writes.push(WriteIntent {
            path,
            mode: WriteMode::InPlace,
            content: None,
            downloaded: false,
            chmod: None,
            moved_from: None,
            redirected: false,
        });
    }
    if deeds.writes.is_empty() {
        deeds.unknown.push(Unknown {
            code: "shell.unsupported".to_owned(),
            reason: "a patch that names no file".to_owned(),
            span,
        });
    }
    deeds
}

/// The files that a patch names, with `strip` leading names taken off. patch(1) takes the last name where it isn't
/// told how many; where the whole path matters, that counts too.
fn targets(text: &str, strip: Option<usize>) -> Vec<String> {
    let mut found = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    let mut add = |path: &str, less: usize| {
        let path = path.split('\t').next().unwrap_or(path).trim().trim_matches('"');
        if path.is_empty() || path == "/dev/null" {
            return;
        }
        let after = |count: usize| {
            let mut rest = path;
            for _ in 0..count {
                rest = rest.split_once('/').map_or(rest, |(_, rest)| rest.trim_start_matches('/'));
            }
            rest.to_owned()
        };
        match strip {
            Some(count) => found.push(after(count.saturating_sub(less))),
            None => found.extend([after(1), after(path.matches('/').count())]),
        }
    };
    for (at, line) in lines.iter().enumerate() {
        let next = lines.get(at + 1).copied().unwrap_or_default();
        // Unified and context diffs name the old and the new file in two lines.
        for (old, new) in [("--- ", "+++ "), ("*** ", "--- ")] {
            if let (Some(old), Some(new)) = (line.strip_prefix(old), next.strip_prefix(new)) {
                add(old, 0);
                add(new, 0);
            }
        }
        if let Some((_, new)) = line.strip_prefix("diff --git ").and_then(|names| names.rsplit_once(' ')) {
            add(new, 0);
        }
        for front in ["rename from ", "rename to ", "copy to "] {
            if let Some(path) = line.strip_prefix(front) {
                add(path, 1);
            }
        }
        if let Some(path) = line.strip_prefix("Index: ") {
            add(path, 0);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_patch_are_found_as_they_are_applied() {
        let unified = "--- /dev/null\n+++ b/.claude/x.json\n@@ -0,0 +1 @@\n+{}\n";
        let odd = "--- x/y/a.c\t2026-01-01\n+++ x/y/a.c\n@@ -1 +1 @@\n--- no\n+++ header\n";
        let renamed = "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n";
        for (text, strip, expected) in [
            (unified, Some(1), ".claude/x.json"),
            (unified, Some(0), "b/.claude/x.json"),
            (unified, None, ".claude/x.json x.json"),
            (renamed, Some(1), "y x y"),
            ("*** old/a\n--- new/a\n***************\n", Some(1), "a a"),
            ("text\n", Some(1), ""),
        ] {
            assert_eq!(targets(text, strip).join(" "), expected, "{text}");
        }
        assert!(targets(odd, Some(2)).starts_with(&["a.c".to_owned(), "a.c".to_owned()]));
    }
}
