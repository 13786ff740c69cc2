//! Hosts out of URLs and of what tools accept in their place.

use doorward_core::intent::{Direction, Form, HostIntent};

use super::word;
use crate::deed::Word;

/// The host of `target`: a URL, `host:port/path`, or a bare name.
pub(crate) fn host(target: &Word, default_scheme: &str, direction: Direction) -> HostIntent {
    let text = target.text.as_str();
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) if is_scheme(scheme) => (scheme.to_ascii_lowercase(), rest),
        _ => (default_scheme.to_owned(), text),
    };
    if let Some((_, provider)) = STORES.iter().find(|(own, _)| *own == scheme) {
        // A bucket is no host: the provider's is.
        return HostIntent {
            host: (*provider).to_owned(),
            form: Form::Literal,
            port: None,
            scheme: "https".to_owned(),
            url: None,
            direction,
            body_from: Vec::new(),
            configured_remote: None,
            redirected: false,
            span: target.span,
        };
    }
    let has_url = text.contains("://") || matches!(default_scheme, "http" | "https");
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let (name, port) = split_port(authority);
    let unknown = target.form != Form::Literal && (name.contains(['…', '*', '?']) || name.is_empty());
    HostIntent {
        host: if unknown && name.is_empty() { "…".to_owned() } else { name.to_owned() },
        form: if unknown { Form::Unknown } else { Form::Literal },
        port,
        scheme,
        url: has_url.then(|| text.to_owned()),
        direction,
        body_from: Vec::new(),
        configured_remote: None,
        redirected: false,
        span: target.span,
    }
}

/// Schemes that name a bucket of an object store, and the host that serves it. Sources: the references of aws-cli 2,
/// gsutil 5, azcopy 10, b2 3, ossutil 1, Apache Hadoop's file systems.
const STORES: &[(&str, &str)] = &[
    ("abfs", "dfs.core.windows.net"),
    ("abfss", "dfs.core.windows.net"),
    ("adl", "azuredatalakestore.net"),
    ("az", "blob.core.windows.net"),
    ("azure", "blob.core.windows.net"),
    ("b2", "api.backblazeb2.com"),
    ("cos", "myqcloud.com"),
    ("gcs", "storage.googleapis.com"),
    ("gs", "storage.googleapis.com"),
    ("oss", "aliyuncs.com"),
    ("r2", "r2.cloudflarestorage.com"),
    ("s3", "s3.amazonaws.com"),
    ("s3a", "s3.amazonaws.com"),
    ("s3n", "s3.amazonaws.com"),
    ("wasb", "blob.core.windows.net"),
    ("wasbs", "blob.core.windows.net"),
];

/// Databases that are a file: the schemes of SQLAlchemy 2.0, Django, SQLx and JDBC.
const FILE_DATABASES: &[&str] = &["duckdb", "sqlite", "sqlite3"];

/// The file of a database by its address, empty for one in memory: `sqlite:///x.db` lies in the working folder,
/// `sqlite:////x.db` does not.
pub(super) fn database_file(target: &Word) -> Option<Word> {
    let (scheme, rest) = target.text.split_once("://")?;
    if !FILE_DATABASES.contains(&scheme.split('+').next()?) {
        return None;
    }
    let from = target.text.len() - rest.len() + usize::from(rest.starts_with('/'));
    let end = target.text.find('?').unwrap_or(target.text.len());
    let file = word::slice(target, from, end.max(from));
    Some(if file.text == ":memory:" { Word::literal("", target.span) } else { file })
}

fn is_scheme(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

fn split_port(authority: &str) -> (&str, Option<u16>) {
    if let Some(inner) = authority.strip_prefix('[') {
        let (name, rest) = inner.split_once(']').unwrap_or((inner, ""));
        return (name, rest.strip_prefix(':').and_then(|port| port.parse().ok()));
    }
    match authority.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') => match port.parse() {
            Ok(port) => (name, Some(port)),
            Err(_) => (name, None),
        },
        _ => (authority, None),
    }
}

/// Whether a word reads like a URL or an scp-like address of another host.
pub(crate) fn is_remote(text: &str) -> bool {
    if let Some((scheme, _)) = text.split_once("://") {
        return is_scheme(scheme) && scheme != "file";
    }
    scp_host(text).is_some()
}

/// `host` of `[user@]host:path`, as scp, rsync and git read it.
pub(crate) fn scp_host(text: &str) -> Option<&str> {
    let (before, _) = text.split_once(':')?;
    let drive = before.len() == 1 && text.contains('\\');
    let plain = !drive && !before.is_empty() && !before.contains('/') && !before.starts_with(['.', '-']);
    plain.then(|| before.rsplit_once('@').map_or(before, |(_, host)| host))
}

/// A text with its percent escapes undone.
pub(super) fn percent_decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use doorward_core::Span;

    #[test]
    fn hosts_are_found_where_tools_find_them() {
        for (text, host_is, port) in [
            ("https://a.example/x?y", "a.example", None),
            ("http://user:pw@a.example:8080/x", "a.example", Some(8080)),
            ("a.example:443", "a.example", Some(443)),
            ("http://[::1]:80/", "::1", Some(80)),
            ("ssh://git@h:22/x", "h", Some(22)),
            ("a.example/x@b.example", "a.example", None),
            ("http://a.example\\@b.example/", "a.example", None),
        ] {
            let found = host(&Word::literal(text, Span::default()), "http", Direction::Fetch);
            assert_eq!((found.host.as_str(), found.port), (host_is, port), "{text}");
        }
        for (text, file) in [
            ("sqlite:///x.db", Some("x.db")),
            ("sqlite+aiosqlite:////var/x.db?mode=ro", Some("/var/x.db")),
            ("sqlite://x.db", Some("x.db")),
            ("sqlite:///:memory:", Some("")),
            ("sqlite://", Some("")),
            ("postgres://h/x", None),
        ] {
            let found = database_file(&Word::literal(text, Span::default())).map(|file| file.text);
            assert_eq!(found.as_deref(), file, "{text}");
        }
        assert_eq!(scp_host("git@h.example:x/y"), Some("h.example"));
        assert_eq!(scp_host("./a:b"), None);
        assert!(!is_remote("src/main.rs"));
    }
}
