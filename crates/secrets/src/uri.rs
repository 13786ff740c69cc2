//! Passwords in URLs (`scheme://user:password@host`): only the password is the secret.

use crate::charset::{self, at, before, is};
use crate::value;

/// A password in a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Credential {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) database: bool,
    /// A default password of a local service: masked, but not a finding.
    pub(crate) stock: bool,
    /// The password isn't random.
    pub(crate) weak: bool,
    /// The host is this machine, an example's, or has no domain.
    pub(crate) nowhere: bool,
}

const DATABASES: &[&[u8]] = &[
    b"postgres",
    b"postgresql",
    b"postgis",
    b"mysql",
    b"mysql2",
    b"mariadb",
    b"mongodb",
    b"srv",
    b"redis",
    b"rediss",
    b"amqp",
    b"amqps",
    b"mssql",
    b"sqlserver",
    b"clickhouse",
    b"cockroachdb",
    b"couchdb",
    b"neo4j",
    b"bolt",
    b"cassandra",
    b"oracle",
    b"pymysql",
    b"psycopg2",
    b"asyncpg",
    b"snowflake",
    b"db2",
    b"influxdb",
];
const OTHERS: &[&[u8]] = &[
    b"http",
    b"https",
    b"ldap",
    b"ldaps",
    b"smtp",
    b"smtps",
    b"ftp",
    b"ftps",
    b"sftp",
    b"ssh",
    b"nats",
    b"mqtt",
    b"mqtts",
    b"imap",
    b"imaps",
    b"ws",
    b"wss",
    b"socks5",
    b"socks5h",
    b"git",
    b"cloudinary",
    b"kafka",
    b"rtsp",
    b"vnc",
    b"smb",
    b"svn",
    b"rsync",
    b"grpc",
    b"scp",
    b"elasticsearch",
    b"transport",
];
const STOCK: &[&[u8]] = &[
    b"password",
    b"pass",
    b"passwd",
    b"secret",
    b"changeme",
    b"postgres",
    b"root",
    b"guest",
    b"user",
    b"admin",
    b"pwd",
    b"test",
    b"pw",
    b"password1",
    b"mypassword",
    b"username",
    b"token",
    b"x-oauth-basic",
    b"x-token-auth",
    b"oauth2",
    b"bar",
    b"123",
    b"1234",
    b"12345",
    b"passwort",
    b"credentials",
    b"userpass",
    b"secretpassword",
    b"p",
];
const LONGEST: usize = 512;

/// Whether a password is an obvious stand-in.
pub(crate) fn stock(password: &[u8]) -> bool {
    STOCK.iter().any(|word| password.eq_ignore_ascii_case(word))
}

/// The credential of the URL with its `://` at `pos`.
pub(crate) fn at_slashes(text: &[u8], pos: usize) -> Option<Credential> {
    let scheme_len = charset::run_back(text, pos, charset::ALNUM, 16);
    let scheme = text.get(pos - scheme_len..pos)?.to_ascii_lowercase();
    let database = DATABASES.contains(&scheme.as_slice());
    if !database && !OTHERS.contains(&scheme.as_slice()) {
        return None;
    }
    let from = pos + 3;
    let mut end = from;
    let mut sign = None;
    while end - from < LONGEST {
        match at(text, end) {
            byte if byte <= b' ' || byte >= 0x7f => break,
            b'/' | b'?' | b'#' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\' | b'|' | b'^' => break,
            b'@' => {
                sign = Some(end);
                end += 1;
            }
            _ => end += 1,
        }
    }
    // A password may contain a slash that should have been escaped; then the `@` comes later.
    if sign.is_none() && at(text, end) == b'/' && database {
        sign = (end..(end + 48).min(text.len()))
            .take_while(|index| !at(text, *index).is_ascii_whitespace() && at(text, *index) != b'"')
            .find(|index| at(text, *index) == b'@');
        sign.filter(|sign| {
            text.get(from..*sign).is_some_and(|info| info.contains(&b':') && !info.contains(&b'.'))
        })?;
    }
    let sign = sign?;
    let user_info = text.get(from..sign)?;
    let colon = user_info.iter().position(|byte| *byte == b':')?;
    let password = user_info.get(colon + 1..)?;
    let user = user_info.get(..colon)?;
    let host_len = text
        .get(sign + 1..)?
        .iter()
        .take(255)
        .take_while(|byte| is(**byte, charset::WORD) || b".[]{$}%".contains(byte))
        .count();
    let host = text.get(sign + 1..sign + 1 + host_len)?;
    if password.len() < 3
        || host.is_empty()
        || (value::reference(password) && !password.starts_with(b"!") && !password.starts_with(b"*"))
        || value::placeholder(password)
        || hole(password)
    {
        return None;
    }
    let mask = crate::entropy::distinct(password) < 2 || password.iter().all(|byte| b"*.xX".contains(byte));
    if mask {
        return None;
    }
    let stock = stock(password) || password == user;
    let stock_user = user.is_empty() || is_stock_user(user);
    let local =
        [&b"localhost"[..], b"127.", b"[::1]", b"0.0.0.0"].iter().any(|loopback| host.starts_with(loopback));
    let documentation = example_host(host);
    if stock && (documentation || !database || stock_user && !local)
        || documentation && value::placeholder(user)
    {
        return None;
    }
    if !database && stock_user && value::counting(password) {
        return None;
    }
    let lower_word = password.iter().all(u8::is_ascii_lowercase) && password.len() < 8;
    if lower_word && !database && (documentation || !host.contains(&b'.')) {
        return None;
    }
    let start = from + colon + 1;
    debug_assert!(before(text, start) == b':');
    let weak = !value::random(password, 10);
    let nowhere = local || documentation || !host.contains(&b'.');
    Some(Credential { start, end: sign, database, stock: local && stock, weak, nowhere })
}

fn is_stock_user(user: &[u8]) -> bool {
    [&b"user"[..], b"username", b"usr", b"myuser", b"foo", b"u"]
        .iter()
        .any(|word| user.eq_ignore_ascii_case(word))
}

fn example_host(host: &[u8]) -> bool {
    let lower = host.to_ascii_lowercase();
    lower.split(|byte| *byte == b'.').any(|label| label == b"example")
        || lower == b"host"
        || lower == b"hostname"
        || lower == b"domain.com"
        || lower.ends_with(b".test")
        || lower.ends_with(b".invalid")
}

/// Whether it is a placeholder of a format string or template.
fn hole(password: &[u8]) -> bool {
    matches!(password, [b'%', letter] if letter.is_ascii_alphabetic())
        || matches!(password.first(), Some(b'{' | b'[' | b'<' | b'$' | b'('))
        || password.starts_with(b":")
        || password.windows(2).any(|pair| pair == b"${" || pair == b"{{" || pair == b"#{" || pair == b"%(")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_alone_is_the_secret() {
        for (url, password) in [
            ("postgres://app:s3cr3tpw@db.internal:5432/x", Some("s3cr3tpw")),
            ("redis://:p4Dsr8b@cache:6379", Some("p4Dsr8b")),
            ("jdbc:mysql://root:Qw9x@h/db", Some("Qw9x")),
            ("mongodb+srv://u:p4Dsr8b@c.net/", Some("p4Dsr8b")),
            ("https://bob:hunter22@git.corp.net/x", Some("hunter22")),
            ("https://example.com/a:b@c", None),
            ("postgres://user:${PASS}@db/x", None),
            ("postgres://user:password@example.com/x", None),
            ("https://user:pass@host/x", None),
            ("http://x:****@h/", None),
        ] {
            let found = at_slashes(url.as_bytes(), url.find("://").unwrap());
            assert_eq!(found.map(|found| &url[found.start..found.end]), password, "{url}");
        }
        let local = "postgres://postgres:postgres@localhost/x";
        assert!(at_slashes(local.as_bytes(), local.find("://").unwrap()).unwrap().stock);
    }
}
