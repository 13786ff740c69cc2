//! Paths as text: joining, folding and matching by components, without a file system.
//!
//! Folding `..` in text is wrong if links exist, so nothing here opens or permits. It produces names for people,
//! supports analysis without a file system, and tells whether an unresolvable path looks inside.

/// `path` relative to `cwd`, with `.`, `..` and double slashes folded; absolute if `cwd` is.
#[must_use]
pub fn join(cwd: &str, path: &str) -> String {
    if path.starts_with('/') { fold(path) } else { fold(&format!("{cwd}/{path}")) }
}

/// Folds `.`, `..` and double slashes in an absolute path.
#[must_use]
pub fn fold(path: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                out.pop();
            }
            name => out.push(name),
        }
    }
    let mut text = String::with_capacity(path.len());
    for name in out {
        text.push('/');
        text.push_str(name);
    }
    if text.is_empty() { "/".to_owned() } else { text }
}

/// Whether `path` is `folder` or below it, by components. Both must be folded and absolute.
#[must_use]
pub fn is_within(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The part of `path` below `folder`, without a leading slash.
#[must_use]
pub fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    is_within(path, folder)
        .then(|| path.get(folder.trim_end_matches('/').len()..))?
        .map(|rest| rest.trim_start_matches('/'))
}

/// Whether the text looks like a path inside the caller's folder: relative, or with `..`.
#[must_use]
pub fn claims_inside(path: &str) -> bool {
    !path.starts_with('/') || path.split('/').any(|name| name == "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_folds_and_compares_components() {
        assert_eq!(join("/w", "a/../b//./c"), "/w/b/c");
        assert_eq!(join("/w", "/../etc"), "/etc");
        assert_eq!(join("/w", ".."), "/");
        assert!(is_within("/w/a", "/w") && is_within("/w", "/w") && is_within("/a", "/"));
        assert!(!is_within("/workspace-evil", "/workspace"));
        assert_eq!(below("/w/a/b", "/w"), Some("a/b"));
        assert_eq!(below("/a", "/"), Some("a"));
        assert_eq!(below("/x", "/w"), None);
    }
}
