//! Where programs take environment for others and credentials for their own login.
//!
//! Sources: each program's manual. An option that is missing here only makes a use of it stricter.

use doorward_core::intent::SimpleCommand;

use super::Role;

/// Programs that hand `-e NAME=value`, `--env NAME=value` or the named options to a container or child.
const CHILDREN: &[(&[&str], &[&str])] = &[
    (&["docker", "nerdctl", "podman"], &["--build-arg", "--env", "-e"]),
    (&["docker-compose", "podman-compose"], &["--build-arg", "--env", "-e"]),
    (&["kubectl", "oc"], &["--env"]),
    (&["systemd-run"], &["--setenv", "-E"]),
    (&["flatpak", "salloc", "sbatch", "srun"], &["--env", "--export"]),
    (&["declare", "env", "export", "local", "readonly", "typeset"], &[""]),
];

/// Programs with the options that carry a credential for the host they contact. `-p*` also stands glued to its value.
const LOGINS: &[(&[&str], &[&str])] = &[
    (&["curl", "wcurl"], &["--oauth2-bearer", "--proxy-user", "--user", "-U*", "-u*"]),
    (&["wget", "wget2"], &["--ftp-password", "--http-password", "--password", "--proxy-password"]),
    (&["http", "https", "xh", "xhs"], &["--auth", "-a*"]),
    (&["aria2c"], &["--ftp-passwd", "--http-passwd"]),
    (&["lftp"], &["--user", "-u*"]),
    (&["rclone"], &["--ftp-pass", "--sftp-pass", "--webdav-pass"]),
    (&["smbclient", "smbget"], &["--password", "--user", "-U*"]),
    (&["svn"], &["--password"]),
    (&["sshpass"], &["-p*"]),
    (&["ldapadd", "ldapmodify", "ldapsearch", "ldapwhoami"], &["-w*"]),
    (&["mariadb", "mariadb-admin", "mariadb-dump", "mycli"], &["--password", "-p*"]),
    (&["mysql", "mysqladmin", "mysqldump", "mysqlimport", "mysqlsh"], &["--password", "-p*"]),
    (
        &["mongo", "mongodump", "mongoexport", "mongoimport", "mongorestore", "mongosh"],
        &["--password", "-p*"],
    ),
    (&["redis-benchmark", "redis-cli", "valkey-cli"], &["--pass", "-a*"]),
    (&["bcp", "sqlcmd"], &["-P*"]),
    (&["cqlsh", "influx"], &["--password", "-p*"]),
    (&["clickhouse", "clickhouse-client"], &["--password"]),
    (&["sqlplus"], &[""]),
    (&["docker", "helm", "nerdctl", "oras", "podman", "skopeo"], &["--creds", "--password", "-p*"]),
    (&["twine"], &["--password", "-p*"]),
    (&["az"], &["--password", "-p*"]),
    (&["kubectl", "oc"], &["--password", "--token"]),
    (&["mosquitto_pub", "mosquitto_sub"], &["--pw", "-P*"]),
    (&["xfreerdp", "xfreerdp3"], &["/p:*"]),
    (&["ipmitool"], &["-P*"]),
    (&["rabbitmqadmin"], &["--password", "-p*"]),
    (&["cypher-shell"], &["--password", "-p*"]),
    (&["snmpget", "snmpwalk"], &["-A*", "-X*", "-c*"]),
];

/// Programs that send HTTP headers, and names of headers that authenticate.
const HTTP: &[&str] = &["curl", "grpcurl", "http", "https", "wcurl", "wget", "wget2", "xh", "xhs"];
const HEADERS: &[&str] = &[
    "api-key",
    "apikey",
    "authorization",
    "private-token",
    "proxy-authorization",
    "x-access-token",
    "x-api-key",
    "x-auth-token",
    "x-vault-token",
];

/// Clients of databases; a statement that sets a login gives the server nothing that it doesn't need.
const DATABASES: &[&str] = &["mariadb", "mysql", "psql", "sqlcmd"];
const SETS_LOGIN: &[&str] = &["identified by", "password", "password ="];

/// What `command` does with the secret in its word number `at`.
pub(super) fn role(command: &SimpleCommand, at: usize, word: &str, value: &str) -> Role {
    let program = command.program.as_str();
    let before = at.checked_sub(1).and_then(|at| command.words.get(at)).map(String::as_str);
    let takes = |rows: &[(&[&str], &[&str])]| {
        rows.iter()
            .filter(|(programs, _)| programs.contains(&program))
            .any(|(_, options)| options.iter().any(|option| carries(option, before, word, value)))
    };
    if takes(CHILDREN) {
        return Role::Environment;
    }
    if takes(LOGINS)
        || is_user_info(word, value)
        || HTTP.contains(&program) && is_header(word, value)
        || DATABASES.contains(&program) && sets_login(word, value)
    {
        return Role::Login;
    }
    Role::Data
}

/// Whether `word` is the value of `option`, or holds it: `-p v`, `-pv`, `--password v`, `--password=v`.
fn carries(option: &str, before: Option<&str>, word: &str, value: &str) -> bool {
    if option.is_empty() {
        return true;
    }
    let (name, glued) = match option.strip_suffix('*') {
        Some(name) => (name, true),
        None => (option, false),
    };
    if before == Some(name) {
        // The value of another option (`-H`) isn't this one's.
        return !word.starts_with('@');
    }
    let Some(rest) = word.strip_prefix(name) else { return false };
    let short = name.len() == 2;
    rest.contains(value) && (rest.starts_with('=') || glued || short && option == "-e")
}

/// `scheme://user:secret@host`: the secret stands before the `@` of the authority.
fn is_user_info(word: &str, value: &str) -> bool {
    let outside = |text: &str| !text.contains(value);
    let Some((front, rest)) = word.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let Some((user, host)) = authority.rsplit_once('@') else { return false };
    let behind = rest.get(authority.len()..).unwrap_or_default();
    outside(front) && user.contains(value) && outside(host) && outside(behind)
}

/// Whether a secret is the login of an address on this machine: `scheme://user:secret@localhost`.
pub(super) fn is_of_this_machine(word: &str, value: &str) -> bool {
    let authority = word.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next());
    let Some((_, host)) = authority.and_then(|text| text.rsplit_once('@')) else { return false };
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let is_here = name == "localhost"
        || name == "[::1]"
        || name.parse::<std::net::Ipv4Addr>().is_ok_and(|at| at.is_loopback());
    is_here && is_user_info(word, value)
}

/// `Authorization: Bearer secret`, with nothing else that holds it.
fn is_header(word: &str, value: &str) -> bool {
    let word =
        word.strip_prefix("--header=").or_else(|| word.strip_prefix("-H")).unwrap_or(word).trim_start();
    let Some((name, content)) = word.split_once(':') else { return false };
    let last = content.trim().rsplit(' ').next().unwrap_or_default();
    HEADERS.contains(&name.to_ascii_lowercase().as_str()) && last.ends_with(value)
}

/// `… PASSWORD 'secret'`.
fn sets_login(word: &str, value: &str) -> bool {
    let Some(at) = word.find(value) else { return false };
    let before =
        word.get(..at).unwrap_or_default().trim_end_matches(['\'', '"']).trim_end().to_ascii_lowercase();
    SETS_LOGIN.iter().any(|words| before.ends_with(words))
}
