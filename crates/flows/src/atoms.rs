//! Extracts atoms of a text: addresses, paths, accounts and names, each compared as a whole. A short one chosen by
//! somebody else can steer a call as well as a whole sentence can: a recipient, a package, a table, a script's
//! address.

/// Words that a name follows, such as a package's.
const BEFORE_A_NAME: &[&str] =
    &["install", "add", "npx", "uvx", "pipx", "drop", "table", "user", "repository"];
/// Punctuation around words that isn't part of an atom.
const AROUND: &[char] = &['.', ',', ':', ';', '!', '?', '*', '_', '-', '=', '/', '\\', '&'];
/// Limit on atoms of one text.
const MOST: usize = 512;

/// The names and addresses of a text that are compared as a whole, in order; an address also gives its host.
pub fn of(text: &str) -> impl Iterator<Item = &str> {
    let breaks = |letter: char| letter.is_whitespace() || "\"'`()<>[]{}|,;$".contains(letter);
    let mut named = false;
    text.split(breaks)
        .filter(|word| !word.is_empty())
        .filter_map(move |word| {
            let was_named = std::mem::replace(&mut named, BEFORE_A_NAME.contains(&word));
            let word = word.trim_matches(AROUND);
            let value = word.rsplit('=').next().unwrap_or(word);
            let is_name = was_named && value.len() >= 5 && !BEFORE_A_NAME.contains(&value);
            (is_name || is_atom(value)).then_some(value)
        })
        .flat_map(|atom| {
            let (host, place) = place_of(atom).unzip();
            [Some(atom), host, place.filter(|place| !atom.ends_with(place) && Some(*place) != host)]
        })
        .flatten()
        .take(MOST)
}

/// As [`of`], without identifiers in program text, such as `fn poll_ready(` or `#[non_snake_case]`: the code calls
/// them, but no command acts on them.
pub(crate) fn acted_on(text: &str) -> impl Iterator<Item = &str> {
    of(text).filter(|atom| !is_identifier(atom) || !is_in_code(text, atom))
}

/// A name of letters, digits and underscores.
fn is_identifier(atom: &str) -> bool {
    atom.contains('_') && atom.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.:".contains(&byte))
}

/// Whether a part of a text is called, or is in the arguments or attributes of program text.
fn is_in_code(text: &str, part: &str) -> bool {
    /// Bytes before it that are searched for its bracket.
    const NEAR: usize = 200;
    /// Database keywords followed by a name.
    const STATEMENTS: &[&str] =
        &["table", "into", "from", "update", "join", "exists", "view", "index", "on", "schema"];
    let at = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
    let before = text.as_bytes().get(at.saturating_sub(NEAR)..at).unwrap_or_default();
    let word = before.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    if [STATEMENTS, BEFORE_A_NAME].concat().iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes())) {
        return false;
    }
    let is_called = text.as_bytes().get(at + part.len()) == Some(&b'(');
    is_called || part.contains("::") || is_argument(before)
}

/// Whether a text ends inside brackets after a name or an attribute's `#`: `allow(a, `, `#[`. A shell's `$(` and
/// `[ ` don't count.
fn is_argument(before: &[u8]) -> bool {
    let mut closed = 0_u32;
    for (at, byte) in before.iter().enumerate().rev() {
        match byte {
            b')' | b']' => closed += 1,
            b'(' | b'[' if closed > 0 => closed -= 1,
            b'(' | b'[' => {
                let last = at.checked_sub(1).and_then(|at| before.get(at));
                return last.is_some_and(|last| last.is_ascii_alphanumeric() || b"_#!".contains(last));
            }
            b'"' | b'\'' | b'`' => return false,
            _ => {}
        }
    }
    false
}

/// The host of an address, and the host with up to two path parts, which identify the owner on a shared host.
fn place_of(atom: &str) -> Option<(&str, &str)> {
    let is_bare = |atom: &str| is_host(atom.split('/').next().unwrap_or(atom));
    let rest = match atom.split_once("://") {
        Some((_, rest)) => rest,
        None if atom.contains('@') || (atom.contains('/') && is_bare(atom)) => atom,
        None => return None,
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let rest = rest.get(..end)?.rfind('@').and_then(|at| rest.get(at + 1..)).unwrap_or(rest);
    let end = rest.find([':', '/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    let below = path.get(1..).unwrap_or_default();
    let end = below.match_indices(['/', '?', '#']).map(|(at, _)| at).nth(1).unwrap_or(below.len());
    let place = rest.get(..host.len() + 1 + end).filter(|_| !below.is_empty()).unwrap_or(host);
    (host.len() >= 6 && host.contains('.')).then_some((host, place))
}

/// Whether a word is specific enough to be recognised: an address, an account, a path with folders, a compound name.
fn is_atom(word: &str) -> bool {
    if word.contains("://") {
        return word.len() >= 10;
    }
    if let Some((user, host)) = word.split_once('@') {
        return !user.is_empty() && host.contains('.') && word.len() >= 8;
    }
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let marks = word.bytes().filter(|byte| matches!(byte, b'_' | b'-' | b'.')).count();
    let folders = word.bytes().filter(|byte| *byte == b'/').count();
    let account = word.len() >= 12 && letters >= 2 && digits >= 6;
    let name = word.len() >= 10 && letters >= 6 && (1..=4).contains(&marks) && word.contains('_');
    // An address without its scheme: `pages.example.com/notes`.
    let host = is_host(word.split('/').next().unwrap_or(word));
    let path = folders >= 1 && word.len() >= 12 && (word.starts_with('~') || folders >= 2) && letters >= 6;
    account || name || host || path
}

/// A domain name with a plausible last part: `fix.example.com`, not `main.rs`.
fn is_host(word: &str) -> bool {
    let labels: Vec<&str> = word.split('.').collect();
    labels.len() >= 3
        && word.len() >= 10
        && labels
            .last()
            .is_some_and(|last| last.len() >= 2 && last.bytes().all(|byte| byte.is_ascii_alphabetic()))
        && labels.iter().all(|label| {
            !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_program_text_is_no_object_and_one_in_a_command_is() {
        let acted = |text: &str| acted_on(text).any(|atom| atom == "old_backups");
        for text in [
            "DROP TABLE old_backups;",
            "insert into old_backups(a) values (1)",
            "rm old_backups",
            "(old_backups --now)",
            "x=$(old_backups)",
            "[ -d old_backups ] && true",
            "loads(\"old_backups\")",
            "pip install old_backups",
        ] {
            assert!(acted(text), "{text}");
        }
        for text in
            ["fn old_backups(self) {}", "#[old_backups]", "#![allow(one, old_backups)]", "x::old_backups"]
        {
            assert!(!acted(text), "{text}");
        }
    }

    #[test]
    fn addresses_accounts_and_names_are_atoms_and_words_are_none() {
        let all = |text: &str| of(text).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(all("see https://fix.c.example/i.sh."), ["https://fix.c.example/i.sh", "fix.c.example"]);
        assert_eq!(all("mail partner@c.example!"), ["partner@c.example", "c.example"]);
        assert_eq!(all("post to www.site-9.example/x now"), ["www.site-9.example/x", "www.site-9.example"]);
        let places = ["https://forge.example/me/x/tree/main", "forge.example", "forge.example/me/x"];
        assert_eq!(all("at https://forge.example/me/x/tree/main"), places);
        assert_eq!(all("table users_backup_old is obsolete"), ["users_backup_old"]);
        assert_eq!(all("pay US133000000121212121212 now"), ["US133000000121212121212"]);
        assert_eq!(all("pip install requestz-toolkit"), ["requestz-toolkit"]);
        for text in
            ["cargo build --release", "the quick brown fox", "src/main.rs", "README.md", "v1.2.3", "make"]
        {
            assert!(all(text).is_empty(), "{text}: {:?}", all(text));
        }
    }
}
