//! Files that a program picks up without being told: configuration, tests, plug-ins, modules that take the name of
//! another.
//!
//! Only files that this session wrote are looked at: the project's own are its own business. One table says which
//! programs pick up which names; a file that such a configuration mentions is picked up with it.

use std::collections::BTreeMap;
use std::sync::Arc;

use doorward_core::intent::SimpleCommand;
use doorward_core::session::WrittenFile;
use doorward_paths::lexical;

/// A file that is picked up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Picked {
    pub(crate) path: String,
    /// What to read it as; `None` where its name tells, empty where nothing can read it.
    pub(crate) language: Option<&'static str>,
}

/// Programs, the files they pick up (a leaf's pattern with `*`, or a path from the working folder with `/`), and what
/// those are read as (`""` by name).
struct PickupRow {
    programs: &'static str,
    files: &'static str,
    language: &'static str,
}

const fn row(programs: &'static str, files: &'static str, language: &'static str) -> PickupRow {
    PickupRow { programs, files, language }
}

const PYTHON: &str = "python python3 pypy ipython pytest py.test coverage tox nox invoke inv fab \
    doit scons snakemake locust gunicorn celery flask uvicorn alembic sphinx-build mypy pylint \
    flake8 pip pip3 uv poetry hatch pdm django-admin jupyter";
const NODE: &str = "node npm npx pnpm pnpx yarn bun bunx deno tsx ts-node jest vitest vite webpack \
    rollup eslint prettier tsc next nuxt babel mocha ava karma playwright cypress postcss \
    tailwindcss gulp grunt nodemon lint-staged esbuild parcel stylelint astro remix svelte-kit \
    storybook ng eleventy";

/// Sources: the configuration chapters of each tool's manual.
const ROWS: &[PickupRow] = &[
    row(PYTHON, "sitecustomize.py usercustomize.py", "python"),
    row("pytest py.test coverage tox nox unittest", "conftest.py test_*.py *_test.py __init__.py", "python"),
    row(
        "pytest py.test coverage mypy pylint flake8 tox nox ruff black isort",
        "pytest.ini setup.cfg pyproject.toml tox.ini .coveragerc mypy.ini .mypy.ini .pylintrc \
            pylintrc .flake8",
        "recipe",
    ),
    row("tox", "tox.ini", "recipe"),
    row("nox", "noxfile.py", "python"),
    row("invoke inv", "tasks.py", "python"),
    row("fab", "fabfile.py", "python"),
    row("doit", "dodo.py", "python"),
    row("scons", "SConstruct SConscript", "python"),
    row("snakemake", "Snakefile", "recipe"),
    row("locust", "locustfile.py", "python"),
    row("behave", "environment.py steps/*", "python"),
    row("poetry pdm", "build.py", "python"),
    row("cookiecutter copier", "hooks/*", ""),
    row("scrapy", "*.py", "python"),
    row("tilt", "Tiltfile", "python"),
    row("hatch", "conftest.py test_*.py *_test.py hatch_build.py", "python"),
    row("act", ".github/workflows/*", "recipe"),
    row("earthly", "Earthfile", "recipe"),
    row("skaffold", "skaffold.yaml", "recipe"),
    row("ninja samu", "build.ninja", "recipe"),
    row("gunicorn", "gunicorn.conf.py", "python"),
    row("flask", "app.py wsgi.py .flaskenv", ""),
    row("mkdocs", "mkdocs.yml mkdocs.yaml", "recipe"),
    row("bazel bazelisk buck2", "BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel MODULE.bazel *.bzl", "recipe"),
    row("lerna nx rush turbo wireit", "package.json", "recipe"),
    row("storybook start-storybook build-storybook", ".storybook/*", "javascript"),
    row("alembic", "env.py", "python"),
    row("sphinx-build", "conf.py", "python"),
    row("django-admin python python3", "manage.py settings.py", "python"),
    row("pip pip3 uv poetry hatch pdm build", "setup.py", "python"),
    row(
        NODE,
        "*.config.js *.config.cjs *.config.mjs *.config.ts *.config.mts *.config.cts .*rc.js \
            .*rc.cjs .*rc.mjs *.conf.js *.setup.js *.setup.ts gulpfile.js gulpfile.mjs Gruntfile.js \
            .pnpmfile.cjs .eleventy.js",
        "javascript",
    ),
    row(
        NODE,
        ".prettierrc .eslintrc .eslintrc.json .babelrc .babelrc.json .mocharc.json .mocharc.yml \
            .stylelintrc .stylelintrc.json .npmrc .yarnrc.yml .yarnrc bunfig.toml deno.json \
            deno.jsonc .lintstagedrc .lintstagedrc.json nodemon.json package.json .swcrc \
            tsconfig.json",
        "recipe",
    ),
    row(NODE, "node_modules/.bin/**", ""),
    row(NODE, "node_modules/**", "javascript"),
    row(
        "jest vitest mocha ava playwright cypress npm pnpm yarn bun karma",
        "*.test.js *.test.ts *.test.jsx *.test.tsx *.test.mjs *.spec.js *.spec.ts *.spec.tsx",
        "javascript",
    ),
    row("go", "*.go", "go"),
    row("go", "go.mod go.sum go.work", "recipe"),
    row("cargo", "build.rs", "rust"),
    row("cargo", "config.toml Cargo.toml", "recipe"),
    row("make gmake", "*.mk", "make"),
    row("cmake ctest", "CMakeLists.txt *.cmake", "cmake"),
    row("meson ninja", "meson.build", "meson"),
    row(
        "gradle gradlew",
        "build.gradle build.gradle.kts settings.gradle settings.gradle.kts init.gradle",
        "groovy",
    ),
    row("gradle gradlew", "gradle.properties", "recipe"),
    row("mvn mvnw", "pom.xml extensions.xml maven.config", "maven"),
    row("hugo", "hugo.toml hugo.yaml hugo.json config.toml config.yaml config.json", "hugo"),
    row("sbt mill", "build.sbt build.sc plugins.sbt", "scala"),
    row("rake", "Rakefile *.rake", "ruby"),
    row("bundle bundler", "Gemfile", "ruby"),
    row("gem bundle", "*.gemspec", "ruby"),
    row("rspec bundle rake", "*_spec.rb spec_helper.rb rails_helper.rb", "ruby"),
    row("rspec rubocop", ".rspec .rubocop.yml", "recipe"),
    row("irb ruby", ".irbrc", "ruby"),
    row("vagrant", "Vagrantfile", "ruby"),
    row("pod", "Podfile", "ruby"),
    row("fastlane", "Fastfile", "ruby"),
    row("brew", "Brewfile", "ruby"),
    row("foreman heroku honcho overmind", "Procfile", "recipe"),
    row("composer", "composer.json", "recipe"),
    row("phpunit pest", "phpunit.xml phpunit.xml.dist", "recipe"),
    row("mix iex elixir", "mix.exs config.exs", "elixir"),
    row("dune", "dune dune-project", "dune"),
    row("R Rscript", ".Rprofile Rprofile.site", "r"),
    row("terraform tofu terragrunt", "*.tf *.tf.json", "recipe"),
    row("ansible ansible-playbook", "ansible.cfg", "recipe"),
    row("pre-commit", ".pre-commit-config.yaml", "recipe"),
    row("lefthook", "lefthook.yml lefthook.yaml", "recipe"),
    row("task go-task", "Taskfile.yml Taskfile.yaml", "recipe"),
    row("mise", "mise.toml .mise.toml", "recipe"),
    row(
        "docker docker-compose podman podman-compose",
        "docker-compose.yml docker-compose.yaml compose.yaml compose.yml docker-compose.override.yml",
        "compose",
    ),
    row("gdb", ".gdbinit", "gdb"),
    row("lldb", ".lldbinit", "gdb"),
    row("direnv", ".envrc", "shell"),
    row("git", ".git/hooks/*", ""),
    row("tmux", ".tmux.conf", "recipe"),
    row("vim nvim", ".exrc .nvim.lua", "vim"),
];

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
    let words: Vec<&str> = command.words.iter().map(String::as_str).collect();
    let mut programs = programs(command.program.as_str(), &words);
    programs.extend(command.via.iter().filter_map(|via| via.split(' ').next()));
    let mut picked: Vec<Picked> = Vec::new();
    let mut add = |path: &str, language: &'static str| {
        let language = if language.is_empty() { None } else { Some(language) };
        if !picked.iter().any(|own| own.path == path) {
            picked.push(Picked { path: path.to_owned(), language });
        }
    };
    for (path, _) in written.iter() {
        let Some(below) = lexical::below(path, cwd) else { continue };
        let leaf = below.rsplit('/').next().unwrap_or(below);
        if compiles(&programs) && words.iter().any(|word| lexical::join(cwd, word) == *path) {
            add(path, "native");
        }
        for row in
            ROWS.iter().filter(|row| row.programs.split_ascii_whitespace().any(|own| programs.contains(&own)))
        {
            if row.files.split_ascii_whitespace().any(|pattern| fits(pattern, below, leaf))
                && runs(&programs, &words, row)
            {
                add(path, row.language);
            }
        }
        if shadows(&programs, &words, below) {
            add(path, "");
        }
        if rust_runs(&programs, &words, below) {
            add(path, "rust");
        }
    }
    for path in by_environment(command, cwd, written) {
        add(&path, "shell");
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

/// Whether the call runs what the row's files hold: `go build` compiles, `cargo build` runs its build script only.
fn runs(programs: &[&str], words: &[&str], row: &PickupRow) -> bool {
    let asks = words.len() == 2 && matches!(words.get(1), Some(&("--version" | "--help" | "-V" | "-h")));
    let verb = words.iter().skip(1).copied().find(|word| !word.starts_with('-')).unwrap_or_default();
    match row.language {
        _ if asks => false,
        "go" => matches!(verb, "run" | "test" | "generate"),
        "compose" => {
            programs.iter().any(|program| program.ends_with("compose")) || matches!(verb, "compose" | "stack")
        }
        _ => true,
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

/// `cargo test` and `cargo run` run what is written in the project, and so may an alias.
fn rust_runs(programs: &[&str], words: &[&str], below: &str) -> bool {
    let verb = words.iter().skip(1).copied().find(|word| !word.starts_with(['-', '+'])).unwrap_or_default();
    programs.contains(&"cargo") && below.ends_with(".rs") && !CARGO_RUNS_NOTHING.contains(&verb)
}

/// Sub-commands of cargo that run no code of the project but its build scripts (cargo(1), 1.83).
const CARGO_RUNS_NOTHING: &[&str] = &[
    "",
    "add",
    "b",
    "build",
    "c",
    "check",
    "clean",
    "clippy",
    "config",
    "d",
    "doc",
    "fetch",
    "fix",
    "fmt",
    "generate-lockfile",
    "help",
    "info",
    "init",
    "install",
    "locate-project",
    "login",
    "logout",
    "metadata",
    "new",
    "owner",
    "package",
    "pkgid",
    "publish",
    "read-manifest",
    "remove",
    "report",
    "rm",
    "rustc",
    "rustdoc",
    "search",
    "tree",
    "uninstall",
    "update",
    "vendor",
    "verify-project",
    "version",
    "yank",
];

fn fits(pattern: &str, below: &str, leaf: &str) -> bool {
    if let Some(folder) = pattern.strip_suffix("/**") {
        return below.starts_with(&format!("{folder}/")) || below.contains(&format!("/{folder}/"));
    }
    if let Some(folder) = pattern.strip_suffix("/*") {
        return below.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/') && !rest.contains("/."));
    }
    if pattern.contains('/') {
        return below == pattern;
    }
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
            picked.push(Picked { path: path.clone(), language });
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
        .map(|path| Picked { path: path.clone(), language: None })
        .collect()
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|own| own == word)
}
