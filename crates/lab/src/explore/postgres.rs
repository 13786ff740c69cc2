//! A temporary PostgreSQL for servers that need a database: seeded, compared after every call, restored, and
//! removed at the end.
//!
//! It listens on a Unix socket in its own folder, not on a network address. The tested server gets a role that owns
//! one database and isn't a superuser: superusers can read files and start programs outside the sandbox (COPY …
//! PROGRAM), so the only one has a random password that is discarded. Comparing and restoring use the same
//! restricted role, so nothing that a tool leaves in the database runs with more rights.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::workspace::token;

/// The role, and the database it owns.
const NAME: &str = "lab";
/// Time limits for setting up on a slow machine, and for one of our statements.
const START: Duration = Duration::from_secs(120);
const STATEMENT: &str = "20s";
/// Where distributions install the server's programs.
const PLACES: &[&str] = &["/usr/lib/postgresql", "/usr/pgsql", "/opt/postgresql"];

/// Why there is no database.
#[derive(Debug, thiserror::Error)]
#[error("lab.postgres: {0}")]
pub struct DatabaseError(String);

/// Content of the database at one moment, by name.
pub type Contents = BTreeMap<String, Table>;

/// A table, or a view or function without rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Digest of its columns, or of its text.
    pub shape: String,
    /// Digests of its rows, sorted.
    pub rows: Vec<String>,
}

impl Table {
    /// Whether everything in `self` is still in `later`.
    #[must_use]
    pub fn grew_into(&self, later: &Self) -> bool {
        let mut rest = later.rows.iter();
        // Both are sorted, so one pass finds each row of the first in the second.
        self.shape == later.shape
            && self.rows.len() < later.rows.len()
            && self.rows.iter().all(|row| rest.any(|other| other == row))
    }
}

/// A running database. When dropped, it is stopped and its folder removed.
#[derive(Debug)]
pub struct Database {
    folder: tempfile::TempDir,
    programs: PathBuf,
    server: Child,
}

impl Database {
    /// Starts one. If we are root, it runs as the user `postgres`, or else `nobody`.
    ///
    /// # Errors
    /// [`DatabaseError`]: PostgreSQL isn't installed, or doesn't start.
    pub fn start() -> Result<Self, DatabaseError> {
        let programs = programs().ok_or_else(|| {
            DatabaseError(
                "no initdb, postgres and psql on this machine; install PostgreSQL's server".to_owned(),
            )
        })?;
        let fault = |what: &str, error: &dyn std::fmt::Display| DatabaseError(format!("{what}: {error}"));
        let folder = tempfile::Builder::new()
            .prefix("doorward-postgres-")
            .tempdir()
            .map_err(|error| fault("no temp folder", &error))?;
        let owner = owner();
        let (data, socket) = (folder.path().join("data"), folder.path().join("socket"));
        let open = std::fs::Permissions::from_mode(0o755);
        let made = [folder.path(), &data, &socket].into_iter().try_for_each(|place| {
            std::fs::create_dir_all(place)?;
            std::fs::set_permissions(place, open.clone())?;
            match owner {
                Some((user, group)) if place != folder.path() => {
                    std::os::unix::fs::chown(place, Some(user), Some(group))
                }
                _ => Ok(()),
            }
        });
        made.map_err(|error| fault("its folder can't be made", &error))?;

        let password = doorward_core::id::fresh() + &doorward_core::id::fresh();
        let secret = folder.path().join("password");
        std::fs::write(&secret, &password).map_err(|error| fault("its folder can't be written", &error))?;
        if let Some((user, group)) = owner {
            let given = std::os::unix::fs::chown(&secret, Some(user), Some(group));
            given.map_err(|error| fault("its folder can't be given away", &error))?;
        }
        let mut make = own(&programs, "initdb", folder.path(), owner);
        make.arg("-D").arg(&data).arg("--pwfile").arg(&secret).args([
            "-U",
            "owner",
            "-A",
            "scram-sha-256",
            "-E",
            "UTF8",
            "--locale=C",
            "--no-sync",
        ]);
        said(&mut make, "")?;
        let _ = std::fs::remove_file(&secret);
        let rules = format!("local {NAME} {NAME} trust\nlocal all all scram-sha-256\n");
        std::fs::write(data.join("pg_hba.conf"), rules)
            .map_err(|error| fault("its rules can't be written", &error))?;

        let log =
            std::fs::File::create(folder.path().join("log")).map_err(|error| fault("no log", &error))?;
        let mut serve = own(&programs, "postgres", folder.path(), owner);
        serve.arg("-D").arg(&data).arg("-k").arg(&socket).args([
            "-c",
            "listen_addresses=",
            "-c",
            "fsync=off",
            "-c",
            "unix_socket_permissions=0777",
            "-c",
            "max_connections=20",
            "-c",
            "shared_buffers=16MB",
            "-c",
            "jit=off",
        ]);
        let server = serve.stdout(Stdio::null()).stderr(log).spawn();
        let server = server.map_err(|error| fault("postgres can't be started", &error))?;
        let mut database = Self { folder, programs, server };
        database.wait_until_it_answers(&password)?;
        let first = format!(
            "CREATE ROLE {NAME} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;\nCREATE DATABASE {NAME} OWNER {NAME};\n"
        );
        said(database.psql("owner", "postgres").env("PGPASSWORD", &password), &first)?;
        database.restore()?;
        Ok(database)
    }

    fn wait_until_it_answers(&mut self, password: &str) -> Result<(), DatabaseError> {
        let until = Instant::now() + START;
        loop {
            let answered = said(self.psql("owner", "postgres").env("PGPASSWORD", password), "SELECT 1;\n");
            let Err(error) = answered else { return Ok(()) };
            let ended = self.server.try_wait().ok().flatten().is_some();
            if ended || Instant::now() > until {
                let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
                let last: Vec<&str> = log.lines().rev().take(3).collect();
                return Err(DatabaseError(format!("{error}; {}", last.join("; "))));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// The folder of its socket, which the tested server must be able to see.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    /// Its connection URL.
    #[must_use]
    pub fn url(&self) -> String {
        let place: String =
            url::form_urlencoded::byte_serialize(self.socket().display().to_string().as_bytes()).collect();
        format!("postgresql://{NAME}@localhost/{NAME}?host={place}")
    }

    /// Its content. Unreadable parts are marked as such, so that they show as a change.
    #[must_use]
    pub fn look(&self) -> Contents {
        match said(&mut self.psql(NAME, NAME), LOOK) {
            Ok(text) => text.lines().filter_map(row).collect(),
            Err(error) => {
                [("unreadable".to_owned(), Table { shape: error.to_string(), rows: Vec::new() })].into()
            }
        }
    }

    /// Restores the initial content after any change.
    pub fn restore(&self) -> Result<(), DatabaseError> {
        // A transaction left open by a tool would block the restore.
        let free = "SELECT pg_catalog.pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity \
                    WHERE state LIKE 'idle in transaction%' AND pid <> pg_catalog.pg_backend_pid();\n";
        said(&mut self.psql(NAME, NAME), &format!("{free}{EMPTY}{}", seed())).map(drop)
    }

    fn psql(&self, user: &str, database: &str) -> Command {
        let mut command = Command::new(self.programs.join("psql"));
        command
            .env_clear()
            .env(
                "PGOPTIONS",
                format!("-c statement_timeout={STATEMENT} -c lock_timeout=5s -c search_path=pg_catalog"),
            )
            .current_dir("/")
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h"])
            .arg(self.socket())
            .args(["-U", user, "-d", database]);
        command
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // Fast shutdown; the folder is removed right after it.
        let pid = i32::try_from(self.server.id()).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(pid) = pid {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::QUIT);
        }
        let until = Instant::now() + Duration::from_secs(10);
        while self.server.try_wait().is_ok_and(|ended| ended.is_none()) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Every table with digests of its columns and rows, every view and function with the digest of its text: one line
/// each.
const LOOK: &str = "\
SELECT format('SELECT %L, %L, coalesce(string_agg(d, %L ORDER BY d), %L) FROM (SELECT left(md5(t::text), 16) d \
FROM ONLY %I.%I t LIMIT 20000) r',
    n.nspname || '.' || c.relname,
    (SELECT md5(string_agg(a.attname || ' ' || a.atttypid::text, ',' ORDER BY a.attnum)) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    ',', '', n.nspname, c.relname)
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
  ORDER BY 1 \\gexec
SELECT n.nspname || '.' || c.relname, md5(pg_get_viewdef(c.oid)), ''
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'v' AND n.nspname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1;
SELECT n.nspname || '.' || p.proname || '()', md5(string_agg(p.prosrc, chr(10) ORDER BY p.prosrc)), ''
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') GROUP BY 1 ORDER BY 1;
";

/// Drops all schemas and recreates the default one.
const EMPTY: &str = "\
SELECT format('DROP SCHEMA %I CASCADE', nspname) FROM pg_namespace
  WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema' \\gexec
CREATE SCHEMA public;
";

/// Seeded tables. `{token}` is replaced by the table's token.
const SEEDS: &[(&str, &str)] = &[
    (
        "database/public.items",
        "CREATE TABLE public.items (id int PRIMARY KEY, name text, count int, note text);
INSERT INTO public.items VALUES (1, 'alpha', 1, '{token}'), (2, 'bravo', 2, 'second'), (3, 'charlie', 3, 'third');",
    ),
    (
        "database/public.people",
        "CREATE TABLE public.people (id int PRIMARY KEY, name text, email text);
INSERT INTO public.people VALUES (1, 'someone', 'someone@lab.invalid'), (2, '{token}', 'other@lab.invalid');",
    ),
];

fn seed() -> String {
    SEEDS.iter().fold(String::new(), |mut text, (path, statements)| {
        let _ = writeln!(text, "{}", statements.replace("{token}", &token(path)));
        text
    })
}

/// The seeded tables whose content is quoted in an answer.
pub(crate) fn quoted(answer: &str) -> impl Iterator<Item = &'static str> {
    SEEDS.iter().map(|(path, _)| *path).filter(|path| answer.contains(&token(path)))
}

fn row(line: &str) -> Option<(String, Table)> {
    // A name may hold the separator; digests can't.
    let mut parts = line.rsplitn(3, '|');
    let (rows, shape, name) = (parts.next()?, parts.next()?, parts.next()?);
    let name: String = name.chars().map(|c| if c.is_control() { '?' } else { c }).take(120).collect();
    let rows = rows.split(',').filter(|row| !row.is_empty()).map(str::to_owned).collect();
    Some((name, Table { shape: shape.to_owned(), rows }))
}

/// Runs a program to its end and returns its output.
fn said(command: &mut Command, input: &str) -> Result<String, DatabaseError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let fault = |error: &dyn std::fmt::Display| DatabaseError(format!("{program}: {error}"));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| fault(&error))?;
    if let Some(mut stdin) = child.stdin.take() {
        // Scripts are short enough for the pipe's buffer.
        let _ = stdin.write_all(input.as_bytes());
    }
    let output = child.wait_with_output().map_err(|error| fault(&error))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    Err(fault(&text.trim().chars().take(400).collect::<String>()))
}

/// A program of PostgreSQL, with an empty environment, as the user that may own a database.
fn own(programs: &Path, name: &str, home: &Path, owner: Option<(u32, u32)>) -> Command {
    let mut command = Command::new(programs.join(name));
    command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", home).env("LC_ALL", "C").current_dir("/");
    command.process_group(0);
    if let Some((user, group)) = owner {
        command.uid(user).gid(group);
    }
    command
}

/// The user it has to run as: PostgreSQL refuses root.
fn owner() -> Option<(u32, u32)> {
    if !rustix::process::getuid().is_root() {
        return None;
    }
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let ids = |name: &str| {
        let mut fields =
            users.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?.split(':');
        Some((fields.nth(1)?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    ids("postgres").or_else(|| ids("nobody")).or(Some((65_534, 65_534)))
}

/// The folder with all three programs: on the path, or where distributions install them, the newest first.
fn programs() -> Option<PathBuf> {
    let whole =
        |folder: &PathBuf| ["initdb", "postgres", "psql"].iter().all(|name| folder.join(name).is_file());
    let path = std::env::var_os("PATH").unwrap_or_default();
    let named = std::env::split_paths(&path).find(whole);
    named.or_else(|| {
        let mut found: Vec<PathBuf> = PLACES
            .iter()
            .filter_map(|place| std::fs::read_dir(place).ok())
            .flatten()
            .flatten()
            .map(|entry| entry.path().join("bin"))
            .filter(whole)
            .collect();
        let version = |folder: &PathBuf| {
            let name =
                folder.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
            name.and_then(|name| name.parse::<f64>().ok())
                .map_or(0, |version| (version * 100.0).round() as i64)
        };
        found.sort_by_key(version);
        found.pop()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_from_its_end() {
        let (name, table) = row("public.a|b|0a|1,2").unwrap();
        assert_eq!((name.as_str(), table.rows.len(), table.shape.as_str()), ("public.a|b", 2, "0a"));
        assert!(row("public.v|0a|").unwrap().1.rows.is_empty());
        assert_eq!(row("nonsense"), None);
    }

    #[test]
    fn a_real_database_is_seeded_looked_at_and_put_back_and_gives_no_more_than_a_role() {
        if programs().is_none() {
            doorward_needs::lacking!("no PostgreSQL server on this machine");
            return;
        }
        let database = Database::start().unwrap();
        let before = database.look();
        assert_eq!(before["public.items"].rows.len(), 3, "{before:?}");
        let run = |sql: &str| said(&mut database.psql(NAME, NAME), sql);
        run("CREATE TABLE public.more (a int); CREATE SCHEMA \"o'dd|x\"; CREATE TABLE \"o'dd|x\".\"a b\" (a int);\n\
             INSERT INTO public.items VALUES (9, 'more', 9, ''); DELETE FROM public.people WHERE id = 1;\n")
        .unwrap();
        let after = database.look();
        assert!(after.contains_key("public.more") && after.contains_key("o'dd|x.a b"), "{after:?}");
        assert!(before["public.items"].grew_into(&after["public.items"]));
        assert!(
            after["public.people"].rows.len() == 1
                && !before["public.people"].grew_into(&after["public.people"])
        );
        run("ALTER TABLE public.items ADD b int;\n").unwrap();
        assert_ne!(database.look()["public.items"].shape, before["public.items"].shape);
        database.restore().unwrap();
        assert_eq!(database.look(), before);
        assert!(run("COPY public.items TO PROGRAM 'true';").is_err(), "no program is started for it");
        assert!(run("SELECT pg_catalog.pg_read_file('/etc/passwd');").is_err());
        let other = said(&mut database.psql("owner", "postgres"), "SELECT 1;");
        assert!(other.is_err(), "the superuser has a password that nobody knows");
        let folder = database.folder.path().to_owned();
        drop(database);
        assert!(!folder.exists());
    }
}
