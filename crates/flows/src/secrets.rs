//! Values in a file of secrets that are worth recognising: those that look random, without names and settings.

/// Limit on values of one text.
const MOST: usize = 64;

/// Values of an `.env` file, a credentials file, a key: the text after `=` or `:`, and lines of a key.
pub(crate) fn values(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let mut key = KeyBlock::default();
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        if key.holds(line) {
            found.push(line);
            continue;
        }
        let (name, value) = line.split_once(['=', ':']).map_or(("", line), |(name, value)| (name, value));
        let value = value.trim().trim_matches(['"', '\'', ',', ';']);
        let words = value.split([' ', '\t', '"', '\'', ',', ';']).filter(|word| !word.is_empty());
        let named = is_named(name);
        found.extend(words.filter(|word| looks_random(word) || (named && word.len() >= 8)));
        // Passwords in addresses: scheme://user:password@host
        if let Some((_, rest)) = value.split_once("://")
            && let Some((login, _)) = rest.split_once('@')
            && let Some((_, password)) = login.split_once(':')
            && password.len() >= 8
        {
            found.push(password);
        }
        if found.len() >= MOST {
            break;
        }
    }
    found
}

/// Hosts mentioned in a text with secrets, such as a token's own service.
pub(crate) fn hosts(text: &str) -> Vec<String> {
    let addresses = text.split("://").skip(1).filter_map(|rest| {
        let authority = rest.split(['/', '?', '#', '"', '\'', ' ', '\n', '\r', ',']).next()?;
        let host = authority.rsplit('@').next()?.split(':').next()?;
        (host.contains('.') && host.len() >= 4).then(|| host.to_ascii_lowercase())
    });
    addresses.take(16).collect()
}

/// Whether a name announces a credential.
fn is_named(name: &str) -> bool {
    const NAMES: &[&str] =
        &["password", "passwd", "secret", "token", "api_key", "apikey", "access_key", "private_key"];
    let name = name.to_ascii_lowercase().replace('-', "_");
    NAMES.iter().any(|word| name.contains(word))
}

/// Placeholder words for credentials in examples, and names of the programs that use them: they aren't secret, and
/// ordinary text is full of them.
const PLACEHOLDERS: &[&str] = words! {
    "access" "admin" "administrator" "api" "app" "auth" "change" "changeit" "changeme" "client"
    "database" "db" "default" "demo" "dev" "development" "dummy" "example" "fake" "foo" "bar" "guest"
    "here" "insecure" "insert" "jwt" "key" "local" "localhost" "mariadb" "me" "mongo" "mongodb" "my"
    "mysql" "not" "null" "pass" "passwd" "password" "placeholder" "postgres" "postgresql" "private"
    "prod" "production" "rabbitmq" "redacted" "redis" "replace" "replaceme" "root" "sample" "secret"
    "session" "some" "staging" "super" "supersecret" "test" "testing" "this" "to" "token" "undefined"
    "use" "user" "value" "xxx" "xxxx" "xxxxxxxx" "your"
};

/// Whether a value consists of such words, with at most four digits after each.
pub(crate) fn is_placeholder(value: &str) -> bool {
    let is_known = |word: &str| {
        let stem = word.trim_end_matches(|ch: char| ch.is_ascii_digit());
        word.len() - stem.len() <= 4
            && (stem.is_empty() || PLACEHOLDERS.contains(&stem.to_ascii_lowercase().as_str()))
    };
    value.split(|ch: char| !ch.is_ascii_alphanumeric()).all(is_known)
}

/// Whether a value consists of letters and separators, as words do.
pub(crate) fn is_of_words(value: &str) -> bool {
    let bare = value.trim_matches(|ch: char| !ch.is_ascii_alphanumeric());
    let is_word = |word: &str| {
        let rest = word.get(1..).unwrap_or_default();
        rest.bytes().all(|byte| byte.is_ascii_lowercase())
            || word.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    bare.split(['-', '_', '.', ' '])
        .all(|word| word.bytes().all(|byte| byte.is_ascii_alphabetic()) && is_word(word))
}

/// Whether letters and digits are mixed as in a generated value, unlike a word, path, host or version.
fn looks_random(word: &str) -> bool {
    let count = |test: fn(&u8) -> bool| word.bytes().filter(test).count();
    let (digits, upper) = (count(u8::is_ascii_digit), count(u8::is_ascii_uppercase));
    let lower = count(u8::is_ascii_lowercase);
    let letters = upper + lower;
    let mut seen = [false; 256];
    word.bytes().for_each(|byte| {
        if let Some(slot) = seen.get_mut(usize::from(byte)) {
            *slot = true;
        }
    });
    let distinct = seen.iter().filter(|seen| **seen).count();
    let is_address = word.contains("://") || word.starts_with('/') || word.starts_with('~');
    word.len() >= 16
        && distinct >= 8
        && !is_address
        && letters >= 4
        && ((digits >= 3 && letters >= 5) || (upper >= 4 && lower >= 4 && digits >= 1))
}

/// Whether a text has a key between `BEGIN` and `END` lines.
#[derive(Debug, Default)]
struct KeyBlock(bool);

impl KeyBlock {
    fn holds(&mut self, line: &str) -> bool {
        if line.starts_with("-----BEGIN") {
            self.0 = line.contains("PRIVATE KEY");
            return false;
        }
        if line.starts_with("-----END") {
            self.0 = false;
        }
        self.0 && line.len() >= 16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_values_and_settings_are_none() {
        let token = ["tok", "0123456789abcdefXYZ"].join("_");
        let text = format!(
            "# comment\nNODE_ENV=production\nPORT=8080\nAPI_URL=https://api.work.example/v1\nAPI_TOKEN={token}\n\
             DB=postgres://app:s3cr3tPassw0rd@db.example:5432/x\nHOST=localhost.localdomain\n\
             DB_PASSWORD=hunter2hunter2\n"
        );
        let found = values(&text);
        assert!(found.contains(&token.as_str()) && found.contains(&"hunter2hunter2"), "{found:?}");
        assert!(found.contains(&"s3cr3tPassw0rd"), "{found:?}");
        assert!(!found.iter().any(|value| ["production", "8080", "localhost.localdomain"].contains(value)));
        assert_eq!(hosts(&text), ["api.work.example", "db.example"]);
    }

    #[test]
    fn placeholders_are_no_values_and_words_are_known_as_words() {
        for value in
            ["postgres", "changeme", "password123", "your-secret-key", "dev_password", "administrator"]
        {
            assert!(is_placeholder(value), "{value}");
        }
        for (value, of_words) in [
            ("correcthorsebattery", true),
            ("swordfish", true),
            ("blue-lamp-garden", true),
            ("hunter2hunter2", false),
            ("kXqRtLmNpWzYbVcD", false),
            ("s3cr3tPassw0rd", false),
        ] {
            assert!(!is_placeholder(value), "{value}");
            assert_eq!(is_of_words(value), of_words, "{value}");
        }
    }

    #[test]
    fn the_lines_of_a_private_key_are_values() {
        let text = "-----BEGIN OPENSSH PRIVATE \
            KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\nBBBBBBBBBBBBBBBBBBBBBBBB\n-----END OPENSSH PRIVATE KEY-----\n";
        assert_eq!(values(text).len(), 2);
        assert!(
            values("-----BEGIN CERTIFICATE-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END CERTIFICATE-----").len()
                <= 1
        );
    }
}
