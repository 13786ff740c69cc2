//! Files that a program picks up without being told: configuration, tests, plug-ins, modules that take the name of
//! another.
//!
//! Looked at are files that this session wrote, and those on disk that git didn't hold as they are before the session
//! (`picked/disk.rs`): what git held is the project's own business. One table says which programs pick up which names
//! (`picked/rows.rs`); a file that such a configuration mentions is picked up with it.

pub(crate) mod disk;
mod rows;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, LazyLock};

use doorward_core::intent::SimpleCommand;
use doorward_core::session::WrittenFile;
use doorward_paths::lexical;

use rows::{Obeyed, OnDisk, PYTHON, PickupRow, ROWS};

/// A file that is picked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picked {
    pub(crate) path: String,
    /// What to read it as; `None` where its name tells, empty where nothing can read it.
    pub(crate) language: Option<&'static str>,
    /// Settings for several programs: of one that this session didn't write, only the files count that it names.
    pub(crate) names_only: bool,
}

/// Modules of the standard libraries and those that most projects install: a file of that name takes their place.
/// Sources: the module indexes of Python 3.12 and Ruby 3.3, the most downloaded packages of PyPI.
const PYTHON_MODULES: &str = "abc argparse ast asyncio base64 bisect calendar cgi cmd code codecs \
    collections concurrent configparser contextlib copy csv ctypes dataclasses datetime decimal \
    difflib dis email encodings enum errno fractions functools gc getopt getpass gettext glob gzip \
    hashlib heapq hmac html http imaplib importlib inspect io ipaddress itertools json keyword \
    linecache locale logging lzma math mimetypes multiprocessing netrc numbers operator os pathlib \
    pdb pickle pip pkgutil platform plistlib pprint profile pstats pty queue random re readline \
    sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver \
    sqlite3 ssl stat statistics string struct subprocess symtable sys sysconfig tarfile tempfile \
    textwrap threading time timeit token tokenize tomllib trace traceback types typing unicodedata \
    unittest urllib uuid venv warnings wave weakref webbrowser xml xmlrpc zipfile zipimport zlib \
    zoneinfo attr attrs boto3 botocore bs4 celery certifi cffi chardet click cryptography dateutil \
    django dotenv fastapi flask httpx idna jinja2 jsonschema jwt lxml markupsafe matplotlib mypy \
    numpy packaging pandas PIL pluggy psutil pydantic pytest pytz requests rich scipy setuptools six \
    sklearn sqlalchemy starlette tensorflow torch tqdm typer urllib3 uvicorn werkzeug wheel yaml";
const RUBY_MODULES: &str = "json date time set yaml csv uri net open3 fileutils optparse logger erb \
    digest securerandom socket tempfile bundler rake rails minitest rspec";

/// Programs of Python whose operand names a module that they load.
const SERVERS: &[&str] = &[
    "celery",
    "daphne",
    "flask",
    "gunicorn",
    "huey_consumer",
    "hypercorn",
    "rq",
    "uvicorn",
    "waitress-serve",
];

/// The files of the session that a command picks up.
pub(crate) fn by(command: &SimpleCommand, cwd: &str, written: &BTreeMap<String, WrittenFile>) -> Vec<Picked> {
    if written.is_empty() {
        return Vec::new();
    }
    let asked = CommandWords::of(command);
    let CommandWords { programs, words, .. } = &asked;
    let mut picked: Vec<Picked> = Vec::new();
    let mut add = |path: &str, language: &'static str, names_only: bool| {
        let language = if language.is_empty() { None } else { Some(language) };
        match picked.iter_mut().find(|own| own.path == path) {
            None => picked.push(Picked { path: path.to_owned(), language, names_only }),
            Some(own) if own.names_only => (own.language, own.names_only) = (language, names_only),
            Some(_) => {}
        }
    };
    for (path, _) in written.iter() {
        let Some(below) = lexical::below(path, cwd) else { continue };
        let leaf = below.rsplit('/').next().unwrap_or(below);
        if compiles(programs) && words.iter().any(|word| lexical::join(cwd, word) == *path) {
            add(path, "native", false);
        }
        for row in asked.rows() {
            let fits = |pattern: &str| match pattern.strip_prefix("{}/") {
                Some(pattern) => is_in_named(path, words, cwd) && is_like(pattern, leaf),
                None => fits(pattern, below, leaf),
            };
            if row.files.split_ascii_whitespace().any(fits) {
                add(path, row.language, row.on_disk == OnDisk::Names);
            }
        }
        if shadows(programs, words, below) {
            add(path, "", false);
        }
    }
    for path in by_environment(command, cwd, written) {
        add(&path, "shell", false);
    }
    mentioned(&mut picked, cwd, written);
    picked
}

/// The programs that a command line stands for: its own, and the one a runner is given (`npx jest`, `python -m
/// pytest`).
fn programs<'w>(program: &'w str, words: &[&'w str]) -> Vec<&'w str> {
    let stem = program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let mut all = vec![program, if stem.is_empty() { program } else { stem }];
    let plain = || words.iter().skip(1).copied().filter(|word| !word.starts_with('-'));
    let last = |word: &'w str| word.rsplit('/').next().unwrap_or(word);
    match program {
        "npx" | "bunx" | "pnpx" | "uvx" => all.extend(plain().next().map(last)),
        "npm" | "pnpm" | "yarn" | "bun" | "poetry" | "uv" | "pdm" | "bundle" | "mise" => {
            let rest: Vec<&str> = plain().take(3).collect();
            if rest.first().is_some_and(|verb| matches!(*verb, "exec" | "x" | "run" | "dlx")) {
                all.extend(rest.get(1).copied().map(last));
            }
        }
        _ if stem.starts_with("python") => {
            let at = words.iter().position(|word| *word == "-m");
            all.extend(
                at.and_then(|at| words.get(at + 1)).map(|module| module.split('.').next().unwrap_or(module)),
            );
        }
        _ => {}
    }
    all
}

/// What a command asks of which programs.
struct CommandWords<'c> {
    /// Its own program, those that it was started by, and the one that a runner is given.
    programs: Vec<&'c str>,
    words: Vec<&'c str>,
    /// Sub-commands: its own, and those by which it was started (`direnv exec`).
    verbs: Vec<&'c str>,
}

impl<'c> CommandWords<'c> {
    fn of(command: &'c SimpleCommand) -> Self {
        let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
        let mut programs = programs(command.program.as_str(), &words);
        programs.extend(command.via.iter().filter_map(|via| via.split(' ').next()));
        // `cargo +nightly test`
        let verb = words.iter().skip(1).copied().find(|word| !word.starts_with(['-', '+']));
        let started_by = command.via.iter().filter_map(|via| via.split(' ').nth(1));
        let verbs = std::iter::once(verb.unwrap_or_default()).chain(started_by).collect();
        Self { programs, words, verbs }
    }

    /// The rows whose files the call obeys: `go build` compiles, `cargo build` runs its build script only.
    fn rows(&self) -> impl Iterator<Item = &'static PickupRow> {
        static BY_PROGRAM: LazyLock<HashMap<&str, Vec<usize>>> = LazyLock::new(|| {
            let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
            for (place, row) in ROWS.iter().enumerate() {
                for program in row.programs.split_ascii_whitespace() {
                    places.entry(program).or_default().push(place);
                }
            }
            places
        });
        let places: BTreeSet<usize> =
            self.programs.iter().filter_map(|program| BY_PROGRAM.get(program)).flatten().copied().collect();
        places.into_iter().filter_map(|place| ROWS.get(place)).filter(|row| self.obeys(row))
    }

    fn obeys(&self, row: &PickupRow) -> bool {
        let last = self.words.get(1).filter(|_| self.words.len() == 2);
        let asks = last.is_some_and(|word| matches!(*word, "--version" | "--help" | "-V" | "-h"));
        match row.when {
            Obeyed::Always => true,
            _ if asks => false,
            Obeyed::By(verbs) => verbs.split_ascii_whitespace().any(|own| self.verbs.contains(&own)),
            Obeyed::ButBy(verbs) => !self.verbs.iter().all(|own| verbs.contains(own)),
            Obeyed::Works if row.language == "compose" => {
                self.programs.iter().any(|program| program.ends_with("compose"))
                    || self.verbs.iter().any(|verb| matches!(*verb, "compose" | "stack"))
            }
            Obeyed::Works => true,
        }
    }
}

fn compiles(programs: &[&str]) -> bool {
    const NAMES: &[&str] = &[
        "gcc", "g++", "cc", "c++", "clang", "clang++", "tcc", "rustc", "javac", "ghc", "swiftc", "gfortran",
    ];
    programs.iter().any(|program| NAMES.contains(program))
}

/// What a file of this name is read as when a program runs it without saying so.
pub(crate) fn reads_as(path: &str) -> Option<&'static str> {
    let leaf = path.rsplit('/').next().unwrap_or(path);
    let named = |row: &&PickupRow| {
        row.files.split_ascii_whitespace().any(|pattern| !pattern.contains('/') && fits(pattern, path, leaf))
    };
    ROWS.iter().find(named).map(|row| row.language).filter(|language| !language.is_empty())
}

/// Whether a file lies in the folder that the command looks in, or in one that its words name.
fn is_in_named(path: &str, words: &[&str], cwd: &str) -> bool {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    folder == cwd || words.iter().skip(1).any(|word| lexical::join(cwd, word) == folder)
}

fn fits(pattern: &str, below: &str, leaf: &str) -> bool {
    if let Some(folder) = pattern.strip_suffix("/**") {
        return below.starts_with(&format!("{folder}/")) || below.contains(&format!("/{folder}/"));
    }
    if let Some(folder) = pattern.strip_suffix("/*") {
        return below.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/') && !rest.contains("/."));
    }
    if let Some((folder, pattern)) = pattern.rsplit_once('/') {
        let found = below.rsplit_once('/').filter(|(own, _)| *own == folder);
        return found.is_some_and(|(_, leaf)| is_like(pattern, leaf));
    }
    is_like(pattern, leaf)
}

/// Whether a name fits a pattern with at most one `*`.
fn is_like(pattern: &str, leaf: &str) -> bool {
    match pattern.split_once('*') {
        Some((head, tail)) => {
            leaf.len() >= head.len() + tail.len() && leaf.starts_with(head) && leaf.ends_with(tail)
        }
        None => leaf == pattern,
    }
}

/// Whether a file takes the place of a module that the run loads: of the standard library, of a known package, or
/// named by it.
fn shadows(programs: &[&str], words: &[&str], below: &str) -> bool {
    let first = below.split('/').next().unwrap_or(below);
    let module = first.split('.').next().unwrap_or(first);
    let whole = below.trim_end_matches(".py").replace('/', ".");
    if below.ends_with(".py")
        && programs.iter().any(|program| PYTHON.split_ascii_whitespace().any(|own| own == *program))
    {
        let named = words.iter().position(|word| *word == "-m").and_then(|at| words.get(at + 1));
        // `python -m x` may be listed as what `x` is, with python around it.
        let named = named.or_else(|| words.first());
        // `celery -A tasks`, `uvicorn app.main:app`.
        let is_served = words.iter().skip(1).any(|word| word.split(':').next() == Some(whole.as_str()))
            && programs.iter().any(|own| SERVERS.contains(own));
        let is_named = is_served
            || named.is_some_and(|named| {
                whole == **named
                    || whole == format!("{named}.__main__")
                    || named.strip_prefix(&whole).is_some_and(|rest| rest.starts_with('.'))
            });
        // `python folder` runs its `__main__.py`.
        let is_main = words.contains(&first) && below.ends_with("__main__.py");
        let imported = words.iter().any(|word| {
            word.contains("import")
                && word
                    .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                    .any(|name| name == module)
        });
        let taken = PYTHON_MODULES.split_ascii_whitespace().any(|own| own == module);
        return is_named || is_main || imported || taken;
    }
    let ruby = programs
        .iter()
        .any(|program| matches!(*program, "ruby" | "rake" | "rspec" | "bundle" | "rails" | "irb"));
    if ruby && below.ends_with(".rb") {
        let name = below.rsplit('/').next().unwrap_or(below).trim_end_matches(".rb");
        return RUBY_MODULES.split_ascii_whitespace().any(|own| own == name);
    }
    false
}

/// What a home folder, a search path or a start-up file of the call's own variables holds.
fn by_environment(
    command: &SimpleCommand,
    cwd: &str,
    written: &BTreeMap<String, WrittenFile>,
) -> Vec<String> {
    const START_UP: &[&str] = &[
        ".bash_profile",
        ".bash_login",
        ".profile",
        ".bashrc",
        ".bash_logout",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".zlogin",
        ".gitconfig",
        ".config/git/config",
        ".npmrc",
        ".vimrc",
        ".inputrc",
    ];
    let mut found = Vec::new();
    for assignment in &command.assignments {
        let Some((name, value)) = assignment.split_once('=') else { continue };
        let value = value.replace("$PWD", ".");
        for part in value.split(':').filter(|part| !part.is_empty() && !part.contains('…')) {
            let folder = lexical::join(cwd, part);
            let names: Vec<String> = match name {
                "HOME" | "ZDOTDIR" | "XDG_CONFIG_HOME" => {
                    START_UP.iter().map(|name| (*name).to_owned()).collect()
                }
                "PATH" => vec![command.program.clone()],
                _ => continue,
            };
            found.extend(
                names
                    .iter()
                    .map(|name| lexical::join(&folder, name))
                    .filter(|path| written.contains_key(path)),
            );
        }
    }
    found
}

/// Files that a configuration among the picked ones names: `plugins: ["./x.js"]`, `addopts = -p x`, `include x.mk`.
fn mentioned(picked: &mut Vec<Picked>, cwd: &str, written: &BTreeMap<String, WrittenFile>) {
    let texts: Vec<Arc<str>> = picked
        .iter()
        .filter_map(|own| written.get(&own.path).and_then(|file| file.content.clone()))
        .filter(|text| text.len() < 64 << 10)
        .collect();
    for path in written.keys() {
        let Some(below) = lexical::below(path, cwd) else { continue };
        let leaf = below.rsplit('/').next().unwrap_or(below);
        let stem = leaf.split('.').next().unwrap_or(leaf);
        let package = below.strip_prefix("node_modules/").map(|rest| rest.split('/').next().unwrap_or(rest));
        let names = |text: &Arc<str>| {
            text.contains(below)
                || leaf.contains('.') && text.contains(leaf)
                || stem.len() > 2 && has_word(text, stem)
                || package.is_some_and(|package| text.contains(package))
        };
        let code = [".py", ".js", ".cjs", ".mjs", ".ts", ".rb", ".php", ".sh", ".rs", ".mk", ".lua", ".pl"];
        let is_code = code.iter().any(|ending| leaf.ends_with(ending));
        if is_code && !picked.iter().any(|own| own.path == *path) && texts.iter().any(names) {
            let language = match leaf.rsplit('.').next() {
                Some("rs") => Some("rust"),
                Some("mk") => Some("make"),
                _ => None,
            };
            picked.push(Picked { path: path.clone(), language, names_only: false });
        }
    }
}

/// Whether a program runs scripts that load modules.
pub(crate) fn interprets(program: &str) -> bool {
    const NAMES: &[&str] = &[
        "python", "pypy", "node", "deno", "bun", "tsx", "ts-node", "ruby", "php", "perl", "lua", "sh",
        "bash", "zsh",
    ];
    let stem = program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    NAMES.contains(&stem)
}

/// Modules of the session that a text imports: by a line that loads something and names them.
pub(crate) fn imported(text: &str, written: &BTreeMap<String, WrittenFile>) -> Vec<Picked> {
    const LOADS: &[&str] = &["import", "require", "from", "source", "include", "load", "use "];
    const ENDINGS: &[&str] = &["py", "js", "cjs", "mjs", "ts", "rb", "php", "sh", "lua", "pl", "pm"];
    if written.is_empty() {
        return Vec::new();
    }
    let lines: Vec<&str> = text.lines().filter(|line| LOADS.iter().any(|word| line.contains(word))).collect();
    let name_of = |path: &str| -> Option<String> {
        let (folder, leaf) = path.rsplit_once('/')?;
        let (stem, ending) = leaf.rsplit_once('.')?;
        // `import helper` reads the package's own file.
        let is_package = matches!(stem, "__init__" | "__main__" | "index");
        let name = if is_package { folder.rsplit('/').next()? } else { stem };
        ENDINGS.contains(&ending).then(|| name.to_owned())
    };
    written
        .keys()
        .filter(|path| name_of(path).is_some_and(|name| lines.iter().any(|line| has_word(line, &name))))
        .map(|path| Picked { path: path.clone(), language: None, names_only: false })
        .collect()
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|own| own == word)
}
