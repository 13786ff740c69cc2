//! Whether a repository would run programs of its own: through its configuration, its hooks, or by pointing to
//! another repository.
//!
//! The configuration is read as git reads it (git-config(1), `config.c`). Only keys known to run nothing pass. Any
//! other key, and a file that can't be read, counts as running a program.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use crate::sys;

const BELOW: u64 = libc::RESOLVE_BENEATH | libc::RESOLVE_NO_SYMLINKS | libc::RESOLVE_NO_MAGICLINKS;
/// Larger files count as unreadable.
const LARGEST: u64 = 1 << 20;

/// Keys that run no program, and sections that have no other.
const HARMLESS: &str = include_str!("harmless_keys.txt");

/// What `git lfs install --local` writes.
const LFS_FILTER: &[(&str, &str)] = &[
    ("clean", "git-lfs clean -- %f"),
    ("smudge", "git-lfs smudge -- %f"),
    ("process", "git-lfs filter-process"),
    ("required", "true"),
];

/// Why the repository with git directory `git` (relative to the open root) would run programs; `None` if it
/// wouldn't.
pub(crate) fn runs_programs(root: BorrowedFd<'_>, git: &Path) -> Option<String> {
    let place = match sys::open_at(Some(root), git, libc::O_PATH | libc::O_DIRECTORY, BELOW) {
        Ok(place) => place,
        Err(_) => return Some("its git directory is reached through a link, or can't be read".to_owned()),
    };
    if sys::open_at(Some(place.as_fd()), Path::new("commondir"), libc::O_PATH | libc::O_NOFOLLOW, BELOW)
        .is_ok()
    {
        return Some("its `commondir` makes git use the configuration of another directory".to_owned());
    }
    for name in ["config", "config.worktree"] {
        let text = match text(place.as_fd(), Path::new(name)) {
            Ok(Some(text)) => text,
            Ok(None) => continue,
            Err(()) => return Some(format!("its `{name}` can't be read")),
        };
        match first_program(&text, git) {
            Some(Key::Named(key)) => {
                return Some(format!("its configuration has `{key}`, which can run a program"));
            }
            Some(Key::Broken) => return Some(format!("its `{name}` isn't understood")),
            None => {}
        }
    }
    hook(&place).map(|name| format!("it has the hook `{name}`"))
}

/// A small file's text; `None` if the file doesn't exist.
pub(crate) fn text(folder: BorrowedFd<'_>, name: &Path) -> Result<Option<Vec<u8>>, ()> {
    let flags = libc::O_RDONLY | libc::O_NONBLOCK | libc::O_NOFOLLOW;
    let file = match sys::open_at(Some(folder), name, flags, BELOW) {
        Ok(file) => std::fs::File::from(file),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(_) => return Err(()),
    };
    let found = file.metadata().map_err(drop)?;
    if !found.is_file() || found.len() > LARGEST {
        return Err(());
    }
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut std::io::Read::take(file, LARGEST), &mut text).map_err(drop)?;
    Ok(Some(text))
}

/// A hook that git would run: executable and not a sample.
fn hook(git: &OwnedFd) -> Option<String> {
    let hooks =
        sys::open_at(Some(git.as_fd()), Path::new("hooks"), libc::O_PATH | libc::O_NOFOLLOW, BELOW).ok()?;
    if !sys::stat(hooks.as_fd()).ok()?.is_directory() {
        return Some("hooks".to_owned());
    }
    use std::os::fd::AsRawFd;
    let entries = std::fs::read_dir(format!("/proc/self/fd/{}", hooks.as_raw_fd())).ok()?;
    let runs = |entry: &std::fs::DirEntry| {
        let sample = entry.path().extension().is_some_and(|extension| extension == "sample");
        // Follows links, as git does.
        let found = std::fs::metadata(entry.path());
        !sample && found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    entries.flatten().find(runs).map(|entry| entry.file_name().to_string_lossy().into_owned())
}

#[derive(Debug, PartialEq, Eq)]
enum Key {
    Named(String),
    Broken,
}

/// The first key that could run a program, or an error key if the text can't be parsed. `git` is the git directory
/// below its root.
fn first_program(text: &[u8], git: &Path) -> Option<Key> {
    let mut reader =
        Reader { rest: text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text), section: Section::default() };
    loop {
        match reader.next() {
            Ok(None) => return None,
            Ok(Some((key, value))) if is_harmless(&reader.section, &key, value.as_deref(), git) => {}
            Ok(Some((key, _))) => return Some(Key::Named(reader.section.name(&key))),
            Err(()) => return Some(Key::Broken),
        }
    }
}

fn is_harmless(section: &Section, key: &str, value: Option<&str>, git: &Path) -> bool {
    let Section { name, subsection } = section;
    let listed = |row: &str| HARMLESS.lines().any(|own| own == row);
    let between = if subsection.is_some() { ".*." } else { "." };
    if listed(&format!("{name}{between}{key}")) {
        return true;
    }
    let text = value.unwrap_or("true");
    match (name.as_str(), key) {
        ("branch", "mergeoptions") | ("init", "templatedir") | ("extensions", "worktreeconfig") => false,
        ("filter", _) => {
            subsection.as_deref() == Some("lfs")
                && LFS_FILTER.iter().any(|(own, is)| *own == key && *is == text)
        }
        ("core", "fsmonitor") => is_boolean(text),
        ("core", "worktree") => stays_below(git, text),
        ("remote", "url" | "pushurl") | ("submodule", "url") => is_plain_url(text),
        ("submodule", "update") => matches!(text, "checkout" | "rebase" | "merge" | "none"),
        ("url", "insteadof" | "pushinsteadof") => subsection.as_deref().is_some_and(is_plain_url),
        _ => listed(&format!("{name}.")),
    }
}

/// Whether a new configuration differs from the old one only in what branches track: git writes that at a checkout of
/// a remote's branch, at `push -u`, and when a branch is renamed or deleted.
pub(crate) fn changes_only_tracking(old: &[u8], new: &[u8]) -> bool {
    let (Ok(old), Ok(new)) = (entries(old), entries(new)) else { return false };
    let remotes: Vec<&str> = old
        .iter()
        .filter(|(section, key, _)| section.name == "remote" && key == "url")
        .filter_map(|(section, ..)| section.subsection.as_deref())
        .collect();
    let is_tracking = |(section, key, value): &Entry| {
        let value = value.as_deref().unwrap_or_default();
        let known = match key.as_str() {
            "remote" => value == "." || remotes.contains(&value),
            "merge" => value.starts_with("refs/"),
            "rebase" => is_boolean(value),
            _ => false,
        };
        known && section.name == "branch" && section.subsection.is_some()
    };
    let beyond = |all: &[Entry], others: &[Entry]| {
        let mut left = others.to_vec();
        all.iter().all(|entry| match left.iter().position(|other| other == entry) {
            Some(at) => {
                left.remove(at);
                true
            }
            None => is_tracking(entry),
        })
    };
    beyond(&new, &old) && beyond(&old, &new)
}

/// A section, a key and its value.
type Entry = (Section, String, Option<String>);

fn entries(text: &[u8]) -> Result<Vec<Entry>, ()> {
    let rest = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut reader = Reader { rest, section: Section::default() };
    let mut all = Vec::new();
    while let Some((key, value)) = reader.next()? {
        all.push((reader.section.clone(), key, value));
    }
    Ok(all)
}

fn is_boolean(text: &str) -> bool {
    ["true", "false", "yes", "no", "on", "off", "1", "0"].iter().any(|own| own.eq_ignore_ascii_case(text))
}

/// A URL without remote helper (`ext::sh -c …`) and not an option.
fn is_plain_url(url: &str) -> bool {
    !url.starts_with('-') && !url.contains("::")
}

/// Whether a working tree named by a git directory lies below the same root.
fn stays_below(git: &Path, tree: &str) -> bool {
    let mut depth = git.components().count();
    for part in Path::new(tree).components() {
        match part {
            Component::Normal(_) => depth += 1,
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::CurDir => {}
            _ => return false,
        }
    }
    true
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Section {
    name: String,
    subsection: Option<String>,
}

impl Section {
    fn name(&self, key: &str) -> String {
        match &self.subsection {
            Some(subsection) => format!("{}.{subsection}.{key}", self.name),
            None => format!("{}.{key}", self.name),
        }
    }
}

/// Reads one key after the other, as `git_parse_source` does.
struct Reader<'a> {
    rest: &'a [u8],
    section: Section,
}

impl Reader<'_> {
    fn take(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        // CRLF counts as one newline.
        if *first == b'\r' && rest.first() == Some(&b'\n') {
            return self.take();
        }
        Some(*first)
    }

    fn skip_line(&mut self) {
        while self.take().is_some_and(|byte| byte != b'\n') {}
    }

    /// The next key with its value (`None` for a key without one); `None` at the end.
    fn next(&mut self) -> Result<Option<(String, Option<String>)>, ()> {
        while let Some(byte) = self.take() {
            match byte {
                b'#' | b';' => self.skip_line(),
                b'[' => self.section = self.header()?,
                byte if byte.is_ascii_whitespace() => {}
                byte if byte.is_ascii_alphabetic() => return self.key(byte).map(Some),
                _ => return Err(()),
            }
        }
        Ok(None)
    }

    /// `section]`, `section "sub"]` or the older `section.sub]`.
    fn header(&mut self) -> Result<Section, ()> {
        let mut name = String::new();
        loop {
            match self.take().ok_or(())? {
                b']' => break,
                byte @ (b' ' | b'\t') => return self.subsection(name, byte),
                byte if byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.' => {
                    name.push(char::from(byte.to_ascii_lowercase()));
                }
                _ => return Err(()),
            }
        }
        Ok(match name.split_once('.') {
            Some((name, subsection)) => {
                Section { name: name.to_owned(), subsection: Some(subsection.to_owned()) }
            }
            None => Section { name, subsection: None },
        })
    }

    fn subsection(&mut self, name: String, mut byte: u8) -> Result<Section, ()> {
        while matches!(byte, b' ' | b'\t') {
            byte = self.take().ok_or(())?;
        }
        if byte != b'"' {
            return Err(());
        }
        let mut subsection = Vec::new();
        loop {
            match self.take().ok_or(())? {
                b'\n' => return Err(()),
                b'"' => break,
                b'\\' => subsection.push(self.take().filter(|byte| *byte != b'\n').ok_or(())?),
                byte => subsection.push(byte),
            }
        }
        if self.take() != Some(b']') {
            return Err(());
        }
        Ok(Section { name, subsection: Some(String::from_utf8_lossy(&subsection).into_owned()) })
    }

    fn key(&mut self, first: u8) -> Result<(String, Option<String>), ()> {
        let mut key = String::from(char::from(first.to_ascii_lowercase()));
        let mut byte = self.take();
        while let Some(part) = byte.filter(|byte| byte.is_ascii_alphanumeric() || *byte == b'-') {
            key.push(char::from(part.to_ascii_lowercase()));
            byte = self.take();
        }
        while matches!(byte, Some(b' ' | b'\t')) {
            byte = self.take();
        }
        match byte {
            None | Some(b'\n') => Ok((key, None)),
            Some(b'=') => Ok((key, Some(self.value()?))),
            Some(_) => Err(()),
        }
    }

    fn value(&mut self) -> Result<String, ()> {
        let (mut value, mut quoted, mut kept) = (Vec::new(), false, 0);
        loop {
            match self.take() {
                None | Some(b'\n') if quoted => return Err(()),
                None | Some(b'\n') => break,
                Some(b'#' | b';') if !quoted => {
                    self.skip_line();
                    break;
                }
                Some(byte) if byte.is_ascii_whitespace() && !quoted => {
                    if !value.is_empty() {
                        value.push(byte);
                    }
                    continue;
                }
                Some(b'"') => quoted = !quoted,
                Some(b'\\') => match self.take() {
                    Some(b'\n') => continue,
                    Some(byte @ (b'"' | b'\\')) => value.push(byte),
                    Some(b'n') => value.push(b'\n'),
                    Some(b't') => value.push(b'\t'),
                    Some(b'b') => value.push(8),
                    _ => return Err(()),
                },
                Some(byte) => value.push(byte),
            }
            // Trailing blanks are dropped, unless quoted.
            kept = value.len();
        }
        value.truncate(kept);
        Ok(String::from_utf8_lossy(&value).into_owned())
    }
}

/// The last value of a key without subsection; `None` if the text can't be parsed.
pub(crate) fn value(text: &[u8], section: &str, key: &str) -> Option<String> {
    let mut reader = Reader { rest: text, section: Section::default() };
    let mut last = None;
    while let Some((name, value)) = reader.next().ok()? {
        if name == key && reader.section.name == section && reader.section.subsection.is_none() {
            last = value;
        }
    }
    last
}

/// The path in a `.git` file, as written.
pub(crate) fn pointed_at(text: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let path = text.strip_prefix(b"gitdir: ")?;
    let end = path.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
    let path = path.get(..end).filter(|path| !path.is_empty())?;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Option<String> {
        match first_program(text.as_bytes(), Path::new("sub/.git")) {
            None => None,
            Some(Key::Named(key)) => Some(key),
            Some(Key::Broken) => Some("broken".to_owned()),
        }
    }

    #[test]
    fn what_git_writes_itself_runs_nothing() {
        let cloned = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
            \tlogallrefupdates = true\n\
            [remote \"origin\"]\n\turl = https://example.com/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\
            [branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = A ; comment\n\
            \temail = a@b\n\
            [submodule \"s\"]\n\turl = ../s\n\tactive = true\n[filter \"lfs\"]\n\tprocess = git-lfs filter-process\n\
            \trequired = true\n\tclean = git-lfs clean -- %f\n\tsmudge = git-lfs smudge -- %f\n[core]\n\
            \tfsmonitor = true\n\
            \tworktree = ../../x\n";
        assert_eq!(key(cloned), None);
        assert_eq!(key(&cloned.replace('\n', "\r\n")), None);
        assert_eq!(key(""), None);
    }

    #[test]
    fn what_names_a_program_is_found_however_it_is_written() {
        for (text, found) in [
            ("[core]\n\tfsmonitor = ./x\n", "core.fsmonitor"),
            ("[core] fsmonitor=./x", "core.fsmonitor"),
            ("[CORE]\nFSMonitor = \"./x\"", "core.fsmonitor"),
            ("\u{feff}[core]\nhooksPath=.x", "core.hookspath"),
            ("[core]\n# x\n\tsshCommand = \\\n x", "core.sshcommand"),
            ("[core]\na\u{308}", "broken"),
            ("[core]\nbare = \"x", "broken"),
            ("[core\n]", "broken"),
            ("[diff]\nexternal = x", "diff.external"),
            ("[diff \"x\"]\ntextconv = y", "diff.x.textconv"),
            ("[diff.x]\ncommand = y", "diff.x.command"),
            ("[filter \"x\"]\nclean = y", "filter.x.clean"),
            ("[filter \"lfs\"]\nclean = y", "filter.lfs.clean"),
            ("[alias]\nst = !x", "alias.st"),
            ("[include]\npath = ../x", "include.path"),
            ("[includeIf \"gitdir:/\"]\npath = ../x", "includeif.gitdir:/.path"),
            ("[gpg]\nprogram = x", "gpg.program"),
            ("[credential]\nhelper = !x", "credential.helper"),
            ("[remote \"o\"]\nurl = ext::sh -c x", "remote.o.url"),
            ("[remote \"o\"]\nuploadpack = x", "remote.o.uploadpack"),
            ("[url \"ext::x\"]\ninsteadOf = https://", "url.ext::x.insteadof"),
            ("[submodule \"s\"]\nupdate = !x", "submodule.s.update"),
            ("[core]\nworktree = ../../../x", "core.worktree"),
            ("[core]\nworktree = /home/u", "core.worktree"),
            ("[extensions]\nworktreeConfig = true", "extensions.worktreeconfig"),
            ("[hook \"x\"]\ncommand = y", "hook.x.command"),
            ("[core]\nbare = true\n[somethingnew]\nkey = x", "somethingnew.key"),
        ] {
            assert_eq!(key(text).as_deref(), Some(found), "{text:?}");
        }
    }

    #[test]
    fn only_what_branches_track_may_change() {
        let old = "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://a.example/x\n";
        let with = |more: &str| format!("{old}{more}");
        let tracks = |remote: &str| format!("[branch \"b\"]\n\tremote = {remote}\n\tmerge = refs/heads/b\n");
        let may = |from: &str, to: &str| changes_only_tracking(from.as_bytes(), to.as_bytes());
        assert!(may(old, old) && may(old, &with("# a comment\n")));
        assert!(may(old, &with(&tracks("origin"))) && may(&with(&tracks("origin")), &with(&tracks("."))));
        assert!(!may(&with(&tracks("https://old.example/")), old), "what wasn't git's own stays");
        assert!(may(&with(&tracks("origin")), old), "a branch that is deleted");
        for more in [
            tracks("https://evil.example/x"),
            "[branch \"b\"]\n\tmergeoptions = --strategy=x\n".to_owned(),
            "[core]\n\tfsmonitor = evil\n".to_owned(),
            "[remote \"origin\"]\n\turl = https://evil.example/x\n".to_owned(),
            "[remote \"evil\"]\n\turl = x\n[branch \"b\"]\n\tremote = evil\n".to_owned(),
            "[include]\n\tpath = x\n".to_owned(),
            "broken".to_owned() + "\u{1}",
        ] {
            assert!(!may(old, &with(&more)), "{more}");
        }
        assert!(!may(old, "[core]\n\tbare = false\n"), "a remote is no branch");
    }

    #[test]
    fn a_git_file_points_somewhere() {
        assert_eq!(pointed_at(b"gitdir: ../.git/modules/x\n"), Some(PathBuf::from("../.git/modules/x")));
        assert_eq!(pointed_at(b"gitdir: "), None);
        assert_eq!(pointed_at(b"x"), None);
    }
}
