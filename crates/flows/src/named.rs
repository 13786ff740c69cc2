//! Values under a secret's name (`api_key: …`, `DB_PASSWORD=…`, `"client_secret": "…"`), even if no detector would
//! report them, since a password may consist of words. They count only if exactly that value leaves.

use crate::secrets::{is_of_words, is_placeholder};

/// Limit on values of one text.
const MOST: usize = 64;
/// Longer names are sentences.
const LONGEST_NAME: usize = 72;
/// Longer values are documents.
const LONGEST: usize = 512;
/// Values with fewer letters and digits are too common to be recognised.
const SHORTEST: usize = 8;
/// A single word with fewer letters isn't kept.
const SHORTEST_WORD: usize = 12;
/// More words are a sentence.
const MOST_WORDS: usize = 6;

/// The values, each with whether it resembles ordinary words so much that only the whole value identifies it. In a
/// `secret_place` every name counts.
pub(crate) fn values(text: &str, secret_place: bool) -> Vec<(&str, bool)> {
    let mut found: Vec<(&str, bool)> = Vec::new();
    for (at, sign) in text.match_indices(['=', ':', '>']) {
        if found.len() >= MOST {
            break;
        }
        let name = name_before(text, at, sign);
        let counts = is_named(name)
            || (secret_place && sign != ">" && !name.is_empty())
            || (matches!(name, "value" | "default") && is_named(label_before(text, at)));
        if !counts {
            continue;
        }
        let rest = text.get(at + 1..).unwrap_or_default();
        let value = if sign == ">" { rest.split('<').next() } else { Some(value_of(rest)) };
        if let Some(value) = value.map(str::trim)
            && is_worth_knowing(value)
            && !found.iter().any(|(known, _)| *known == value)
        {
            found.push((value, is_wordy(value)));
        }
    }
    found
}

/// The name that ends before a sign; `<name>` for an element.
fn name_before<'t>(text: &'t str, at: usize, sign: &str) -> &'t str {
    let start = text.floor_char_boundary(at.saturating_sub(LONGEST_NAME));
    let before = text.get(start..at).unwrap_or_default();
    let before = before.trim_end_matches([' ', '\t', '"', '\'', '`', '\\', ']', '?', ':']);
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let length = before.bytes().rev().take_while(|byte| is_part(*byte)).count();
    let name = before.get(before.len() - length..).unwrap_or_default();
    let opens = before.get(..before.len() - length).is_some_and(|before| before.ends_with('<'));
    // A preceding escaped line break isn't part of the name.
    let escaped = before.get(..before.len() - length).is_some_and(|before| before.ends_with('\\'));
    let name = if escaped { name.strip_prefix(['n', 'r', 't']).unwrap_or(name) } else { name };
    if sign != ">" || opens { name } else { "" }
}

/// The name given by a field before this one: `name: DB_PASSWORD` on the line before `value: …`.
fn label_before(text: &str, at: usize) -> &str {
    let start = text.floor_char_boundary(at.saturating_sub(2 * LONGEST_NAME));
    let before = text.get(start..at).unwrap_or_default();
    let label = ["name", "key"].iter().filter_map(|label| Some((before.rfind(label)?, label.len()))).max();
    let Some((place, length)) = label else { return "" };
    let rest = before.get(place + length..).unwrap_or_default();
    let rest = rest.trim_start_matches([' ', ':', '=', '"', '\'', '\\']);
    rest.split(|letter: char| !letter.is_ascii_alphanumeric() && !"_-.".contains(letter))
        .next()
        .unwrap_or_default()
}

/// Last words of names that tell something about a secret.
const ABOUT: &[&str] = words! {
    "arn" "at" "count" "date" "dir" "enabled" "endpoint" "env" "error" "expires" "expiry" "field" "file"
    "format" "header" "help" "hint" "id" "ids" "label" "len" "length" "limit" "max" "min" "name" "names"
    "path" "pattern" "placeholder" "policy" "ref" "regex" "required" "rules" "size" "title" "tokens"
    "ttl" "type" "uri" "url" "usage" "version"
};
/// What announces a secret anywhere in a name without its separators.
const ANYWHERE: &[&str] = words! {
    "accesskey" "accountkey" "apikey" "authkey" "credential" "encryptionkey" "licensekey" "masterkey"
    "passcode" "passphrase" "passwd" "password" "passwort" "privatekey" "secret" "signingkey" "token"
};
/// What announces a secret as a word of a name.
const WORDS: &[&str] = words! {
    "auth" "authorization" "bearer" "creds" "pass" "pat" "pin" "pw" "pwd" "psk"
};

/// Whether a name announces a secret, rather than information about one.
pub(crate) fn is_named(name: &str) -> bool {
    let words = words_of(name);
    let Some(last) = words.last() else { return false };
    let joined = words.concat();
    !ABOUT.contains(&last.as_str())
        && (ANYWHERE.iter().any(|part| joined.contains(part))
            || WORDS.iter().any(|word| words.iter().any(|own| own == word)))
}

/// The words of a name in lower case: `dbPassword`, `DB_PASSWORD` and `db-password` have two.
fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![String::new()];
    let mut small = false;
    for letter in name.chars() {
        if !letter.is_ascii_alphanumeric() || (letter.is_ascii_uppercase() && small) {
            words.push(String::new());
        }
        small = letter.is_ascii_lowercase();
        if let Some(word) = words.last_mut().filter(|_| letter.is_ascii_alphanumeric()) {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The value after a sign: in quotes up to their end, else up to the end of the line.
fn value_of(rest: &str) -> &str {
    let rest = rest.trim_start_matches([' ', '\t', '=', '>']);
    let rest = rest.get(..rest.floor_char_boundary(LONGEST)).unwrap_or_default();
    for quote in ["\\\"", "\\'", "\"", "'", "`"] {
        if let Some(inner) = rest.strip_prefix(quote) {
            return inner.split(quote).next().unwrap_or_default();
        }
    }
    let line = rest.split(['\n', '\r']).next().unwrap_or_default();
    // A type follows the name.
    if let Some((kind, value)) = line.split_once(" = ")
        && !kind.contains(' ')
    {
        return value_of(value);
    }
    let line = line.split(['\n', '\r', '\\', '"', '\'', '`', ';', '|']).next().unwrap_or_default();
    let line = line.split(" #").next().unwrap_or(line);
    line.split(", ").next().unwrap_or(line).trim().trim_end_matches([',', '.', ')', '}', ']'])
}

fn is_worth_knowing(value: &str) -> bool {
    let letters = value.bytes().filter(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80).count();
    let is_place = value.starts_with(['/', '~', '$', '<', '{', '[', '(', '%']) || value.contains("://");
    let is_code = ["(", "){", "::", "->", "=>", "${", "{{", "process.env", "os.environ"]
        .iter()
        .any(|part| value.contains(part))
        || is_member(value);
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let words = value.split_whitespace().count();
    if letters < SHORTEST || is_place || is_code || words > MOST_WORDS || is_placeholder(value) {
        return false;
    }
    // A value of words only: several words or a long one, and no placeholder.
    has_digit
        || !is_of_words(value)
        || (!is_named(value) && words <= 1 && (value.contains(['-', '_', '.']) || letters >= SHORTEST_WORD))
}

/// `self.token`, `config.db.password`: program text that refers to a value.
fn is_member(value: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    value.contains('.') && value.len() < 48 && value.split('.').all(is_name) && {
        let first = value.split('.').next().unwrap_or_default();
        [
            "self", "this", "config", "settings", "opts", "options", "args", "env", "process", "ctx", "req",
            "request",
        ]
        .contains(&first)
            || value.split('.').any(is_named)
    }
}

/// Whether most of it consists of words, which ordinary text contains too.
fn is_wordy(value: &str) -> bool {
    let words = value.split(|letter: char| !letter.is_ascii_alphabetic()).filter(|word| word.len() >= 4);
    let of_words: usize = words.map(str::len).sum();
    of_words * 2 >= value.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_known_by_the_name_before_it() {
        for (text, expected) in [
            ("api_key: violet-harbour-canyon-4471", "violet-harbour-canyon-4471"),
            ("export DB_PASSWORD=sunflower1987\nPORT=80", "sunflower1987"),
            (r#"{"stdout":"DB_PASSWORD=sunflower1987\nPORT=80\n"}"#, "sunflower1987"),
            (r#"{"text":"{\"clientSecret\": \"violet harbour 4471\"}"}"#, "violet harbour 4471"),
            ("password = 'blue-lamp-garden'", "blue-lamp-garden"),
            ("<smtpPassword>sunflower1987</smtpPassword>", "sunflower1987"),
            ("passphrase: violet harbour canyon 4471  # rotate", "violet harbour canyon 4471"),
            ("auth => 'sunflower1987',", "sunflower1987"),
            ("- name: DB_PASSWORD\n  value: sunflower1987\n", "sunflower1987"),
            ("{\"name\": \"api_token\", \"value\": \"sunflower1987\"}", "sunflower1987"),
        ] {
            let found: Vec<&str> = values(text, false).into_iter().map(|(value, _)| value).collect();
            assert_eq!(found, [expected], "{text}");
        }
        let place = "SMTP_LOGIN=sunflower1987\nNODE_ENV=production\n";
        assert!(values(place, false).is_empty());
        assert_eq!(values(place, true), [("sunflower1987", true)]);
    }

    #[test]
    fn program_text_and_samples_are_none() {
        for text in [
            "token = self.get_token(request)",
            "password: string;",
            "password = config.db.password2",
            "API_KEY=${API_KEY_2024}",
            "api_key: your-api-key-123",
            "max_tokens: 1638400000a",
            "token_url: https://login.example/oauth2/token1",
            "secret_path=/run/secrets/db1",
            "const token: AccessTokenProvider = x",
            "Password: it must have at least eight letters and 1 digit",
            "author: sunflower1987",
            "{\"a\": 1}",
        ] {
            assert!(values(text, false).is_empty(), "{text}: {:?}", values(text, false));
        }
    }
}
