//! Paths, URLs and hosts by their look.

use std::net::{IpAddr, Ipv6Addr};

use doorward_core::call::ToolCall;
use doorward_core::intent::HostIntent;
use doorward_paths::{could_be_secret, is_secret, lexical, protection};
use doorward_shell::Options;
use doorward_shell::programs::is_known;

use super::server;
use super::tool::ToolWords;

/// What a text names.
pub(crate) enum Place {
    /// A URL that a tool would fetch.
    Url(String),
    /// A host that a program would contact: a database, an address alone.
    Server(HostIntent),
    /// A path.
    Path(String),
    /// A pattern over paths.
    Pattern(String),
}

/// Parameters that name paths, in small letters: a plain relative name counts there, too.
const PATHS: &[&str] = &[
    "cwd",
    "dest",
    "destination",
    "dir",
    "directory",
    "dst",
    "file",
    "file_path",
    "filename",
    "filepath",
    "files",
    "folder",
    "input_path",
    "output",
    "output_path",
    "path",
    "paths",
    "root",
    "source",
    "src",
    "target",
    "uri",
    "working_directory",
];
/// Parameters that name hosts: a number counts there as an address, too.
const HOSTS: &[&str] = &["address", "addr", "endpoint", "host", "hostname", "ip", "server", "target", "url"];
/// Parameters that hold URLs: one with blanks counts there, too.
const URLS: &[&str] = &["endpoint", "href", "link", "uri", "url", "urls", "webhook"];
/// Schemes that tools fetch.
const WEB: &[&str] = &["ftp", "http", "https", "ws", "wss"];
/// Schemes of servers that programs contact.
const SERVERS: &[&str] = &[
    "amqp",
    "amqps",
    "git",
    "git+ssh",
    "ldap",
    "mariadb",
    "mongodb",
    "mongodb+srv",
    "mysql",
    "postgres",
    "postgresql",
    "redis",
    "rediss",
    "rsync",
    "scp",
    "sftp",
    "smtp",
    "ssh",
    "tcp",
    "telnet",
    "udp",
];
/// Schemes of databases in a file.
const FILE_SCHEMES: &[&str] = &["duckdb", "file", "sqlite", "sqlite3"];
/// Folders at the top of a system (Filesystem Hierarchy Standard 3.0; macOS). What else begins with `/` may be the route
/// of a web service.
const TOP: &[&str] = &[
    "Applications",
    "Library",
    "System",
    "Users",
    "Volumes",
    "bin",
    "boot",
    "dev",
    "etc",
    "home",
    "lib",
    "lib64",
    "media",
    "mnt",
    "opt",
    "private",
    "proc",
    "root",
    "run",
    "sbin",
    "srv",
    "sys",
    "tmp",
    "usr",
    "var",
];
/// Those that are names of routes as well, where nothing stands behind them.
const ROUTES: &[&str] = &["home", "lib", "media", "opt", "private", "root", "run", "sys"];
/// Those that services name as often: they count where such a folder is there.
const MOSTLY_ROUTES: &[&str] = &["lib", "media", "private"];
/// Methods of HTTP: a path beside one is a route.
const METHODS: &[&str] = &["delete", "get", "head", "options", "patch", "post", "put"];
/// Ends of names that only an inner network has.
const INNER: &[&str] = &[".home.arpa", ".intranet", ".lan", ".local", ".localdomain", ".svc"];
/// Those that no file has.
const SURELY_INNER: &[&str] = &[".internal", ".localhost"];
/// The longest path or URL.
const LONGEST: usize = 8192;

/// What place a text names, if as a whole it looks like one.
pub(crate) fn look(
    text: &str,
    key: &str,
    tool: &ToolWords,
    call: &ToolCall,
    options: &Options<'_>,
) -> Option<Place> {
    let text = text.trim();
    if text.is_empty() || text.len() > LONGEST || text.contains('\n') {
        return None;
    }
    url(text, key).or_else(|| host(text, key)).or_else(|| path(text, key, tool, call, options))
}

fn url(text: &str, key: &str) -> Option<Place> {
    let blank = text.contains(char::is_whitespace);
    let text = text.strip_prefix("jdbc:").unwrap_or(text);
    let (scheme, rest) = text.split_once(':')?;
    let scheme = scheme.to_ascii_lowercase();
    if WEB.contains(&scheme.as_str()) {
        // A sentence may begin with an address.
        let counts = rest.starts_with(['/', '\\']) && (!blank || URLS.contains(&key));
        return counts.then(|| Place::Url(text.to_owned()));
    }
    let authority = rest.strip_prefix("//")?;
    if FILE_SCHEMES.contains(&scheme.as_str()) {
        let path = if scheme == "file" { text.to_owned() } else { authority.replacen("//", "/", 1) };
        return Some(Place::Path(path));
    }
    if blank {
        return None;
    }
    if SERVERS.contains(&scheme.as_str()) {
        return Some(Place::Server(server("", None, &scheme, Some(text.to_owned()))));
    }
    // A scheme of an application's own: only a place that the text itself gives away counts.
    let place = authority.split(['/', '?', '#']).next()?;
    let place = place.rsplit_once('@').map_or(place, |(_, place)| place);
    host(place, "")
}

/// An address or an inner name, alone or with a port and a path behind it.
fn host(text: &str, key: &str) -> Option<Place> {
    if text.contains(char::is_whitespace) || key.contains("version") {
        return None;
    }
    let text = text.strip_prefix("//").unwrap_or(text);
    let place = text.split(['/', '?', '#']).next().unwrap_or(text);
    let (name, port) = split_port(place);
    let lower = name.trim_end_matches('.').to_ascii_lowercase();
    let is_address = lower.parse::<IpAddr>().is_ok();
    let ends = |list: &[&str]| list.iter().any(|end| lower.ends_with(end) && lower.len() > end.len());
    // `settings.local` may be a file; with a port, or where a host is asked for, it isn't.
    let asked = port.is_some() || HOSTS.contains(&key);
    let is_inner = lower == "localhost" || ends(SURELY_INNER) || asked && ends(INNER);
    let is_number = HOSTS.contains(&key)
        && (lower.bytes().all(|byte| byte.is_ascii_digit()) && (8..=10).contains(&lower.len())
            || lower.starts_with("0x")
                && (3..=10).contains(&lower.len())
                && lower.bytes().skip(2).all(|byte| byte.is_ascii_hexdigit()));
    let is_named = is_inner
        && !lower.starts_with('.')
        && lower.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
    if !(is_address || is_number || is_named) {
        return None;
    }
    Some(Place::Server(server(&lower, port, "", None)))
}

fn split_port(place: &str) -> (&str, Option<u16>) {
    if let Some(rest) = place.strip_prefix('[') {
        let (inside, behind) = rest.split_once(']').unwrap_or((rest, ""));
        return (inside, behind.strip_prefix(':').and_then(|port| port.parse().ok()));
    }
    if place.parse::<Ipv6Addr>().is_ok() {
        return (place, None);
    }
    match place.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') && port.parse::<u16>().is_ok() => (name, port.parse().ok()),
        _ => (place, None),
    }
}

fn path(text: &str, key: &str, tool: &ToolWords, call: &ToolCall, options: &Options<'_>) -> Option<Place> {
    let named = PATHS.contains(&key);
    let text = text.strip_prefix('@').filter(|rest| rest.starts_with(['/', '~', '.'])).unwrap_or(text);
    let spelled = respelled(text, options.home.as_deref());
    let text = spelled.as_str();
    if text.starts_with('~') && is_one_name(text) && (text.len() == 1 || text.contains('/')) {
        return Some(Place::Path(text.to_owned()));
    }
    let is_one = named && !text.contains(char::is_whitespace) || is_one_name(text);
    if text.starts_with('/') && is_one && is_of_system(text, named, tool, call, options) {
        return Some(as_pattern(text, named));
    }
    let climbs = text.split('/').any(|name| name == "..") && is_one_name(text);
    if climbs {
        return Some(as_pattern(text, named));
    }
    let single = !text.contains(char::is_whitespace);
    let dotted = text.contains(['/', '.']) || text.starts_with("id_");
    let is_pattern = text.contains(['*', '?', '[']);
    let secret = if is_pattern { could_be_secret(text) } else { is_secret(text) };
    if single && dotted && !text.starts_with('/') && (secret || tool.changes && protection(text).is_some()) {
        return Some(if is_pattern { Place::Pattern(text.to_owned()) } else { Place::Path(text.to_owned()) });
    }
    // A plain name below the project. One that a shell would expand is refused by its text.
    let expands = text.contains("$(") || text.contains("${") || text.contains('`');
    let is_code = text.contains(['(', '\'', '"', ';', '|', '<', '>', '&']) && !expands;
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_name = single || is_one_name(text) && !is_known(first);
    let plain =
        named && is_name && !is_code && !text.starts_with('/') && text.contains(['/', '.', '~', '\\']);
    plain.then(|| Place::Path(text.to_owned()))
}

/// A pattern that nothing but its look calls a path is a pattern; a parameter for paths takes what it says.
fn as_pattern(text: &str, named: bool) -> Place {
    let is_pattern = !named && text.contains(['*', '?', '[']);
    if is_pattern { Place::Pattern(text.to_owned()) } else { Place::Path(text.to_owned()) }
}

/// The path as this machine would spell it: the home folder by its name, slashes of Windows and encoded signs as what
/// they stand for.
fn respelled(text: &str, home: Option<&str>) -> String {
    let mut text = text.to_owned();
    let single = !text.contains(char::is_whitespace);
    let lower = text.to_ascii_lowercase();
    if single && (lower.contains("%2e") || lower.contains("%2f")) {
        text = replaced(&replaced(&text, "%2e", "."), "%2f", "/");
    }
    if text.contains('\\') {
        let drive =
            text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic) && text.get(1..2) == Some(":");
        let slashed = text.replace('\\', "/");
        let bare = if drive { slashed.get(2..).unwrap_or_default() } else { &slashed };
        if drive || is_secret(bare) || bare.split('/').any(|name| name == "..") {
            text = bare.to_owned();
        }
    }
    let Some(home) = home else { return text };
    for sign in ["~", "$HOME", "${HOME}", "%USERPROFILE%", "%HOME%"] {
        if let Some(rest) = text.strip_prefix(sign)
            && (rest.is_empty() || rest.starts_with(['/', '\\']))
        {
            return format!("{home}{}", rest.replace('\\', "/"));
        }
    }
    text
}

fn replaced(text: &str, encoded: &str, sign: &str) -> String {
    text.replace(encoded, sign).replace(&encoded.to_ascii_uppercase(), sign)
}

/// Whether a text reads as one path: no blanks, or blanks as names of files have them and sentences don't.
fn is_one_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() < 2 {
        return true;
    }
    let later = |word: &str| word.contains('/') && !word.starts_with('/');
    let last = words.last().copied().unwrap_or_default();
    let ends = last.rsplit_once('.').is_some_and(|(name, end)| {
        !name.is_empty()
            && (1..=5).contains(&end.len())
            && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let is_sentence = words.iter().any(|word| word.ends_with([',', ';', ':', '!', '?']))
        || words.iter().any(|word| super::texts::is_function_word(word));
    words.len() <= 12 && !is_sentence && (words.iter().skip(1).any(|word| later(word)) || ends)
}

/// Whether a path from the root is one of this machine's, and not a route of some service.
fn is_of_system(text: &str, named: bool, tool: &ToolWords, call: &ToolCall, options: &Options<'_>) -> bool {
    let folded = lexical::fold(text);
    let mut names = folded.split('/').filter(|name| !name.is_empty());
    let Some(first) = names.next() else { return named || tool.changes };
    let method = call.args.get("method").and_then(|method| method.as_str()).unwrap_or_default();
    let requests = METHODS.contains(&method.to_ascii_lowercase().as_str())
        || tool.words.iter().any(|word| matches!(word.as_str(), "http" | "request" | "api"));
    if named && !requests {
        return true;
    }
    let second = names.next();
    if second.is_none() && ROUTES.contains(&first) && !tool.changes {
        return false;
    }
    if MOSTLY_ROUTES.contains(&first) && !tool.changes {
        return second.is_some_and(|second| options.folders.has(&format!("/{first}/{second}")));
    }
    let top = |path: &str| path.split('/').find(|name| !name.is_empty()) == Some(first);
    TOP.contains(&first)
        || options.home.as_deref().is_some_and(top)
        || top(&call.cwd)
        || call.roots.iter().any(|root| top(&root.path))
        || options.folders.has(&format!("/{first}"))
}
