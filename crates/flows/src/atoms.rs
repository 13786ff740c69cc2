//! Atoms of a text: addresses, paths, accounts and names, each compared as a whole. A short one that other people chose
//! can steer a call as well as a whole sentence can: a recipient, a package, a table, a script's address.

/// Words that a name follows, such as a package's.
const BEFORE_A_NAME: &[&str] =
    &["install", "add", "npx", "uvx", "pipx", "drop", "table", "user", "repository"];
/// Punctuation around words, which belongs to no atom.
const AROUND: &[char] = &['.', ',', ':', ';', '!', '?', '*', '_', '-', '=', '/', '\\', '&'];
/// Most atoms taken from one text.
const MOST: usize = 512;

/// The atoms of a text, in order; an address also gives its host.
pub(crate) fn of(text: &str) -> impl Iterator<Item = &str> {
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
        .flat_map(|atom| [Some(atom), host_of(atom)])
        .flatten()
        .take(MOST)
}

fn host_of(atom: &str) -> Option<&str> {
    let rest = match atom.split_once("://") {
        Some((_, rest)) => rest,
        None if atom.contains('@') => {
            return atom.split_once('@').map(|(_, host)| host).filter(|host| host.contains('.'));
        }
        None => atom
            .split_once('/')
            .map(|_| atom)
            .filter(|atom| is_host(atom.split('/').next().unwrap_or(atom)))?,
    };
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    (host.len() >= 6 && host.contains('.')).then_some(host)
}

/// Whether a word is specific enough to be recognised: an address, an account, a path with folders, a name of parts.
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
    fn addresses_accounts_and_names_are_atoms_and_words_are_none() {
        let all = |text: &str| of(text).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(all("see https://fix.c.example/i.sh."), ["https://fix.c.example/i.sh", "fix.c.example"]);
        assert_eq!(all("mail partner@c.example!"), ["partner@c.example", "c.example"]);
        assert_eq!(all("post to www.site-9.example/x now"), ["www.site-9.example/x", "www.site-9.example"]);
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
