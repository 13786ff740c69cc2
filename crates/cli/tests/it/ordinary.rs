//! Ordinary work that is not asked about, each beside a twin that is: judged by the built binary in a real repository,
//! in bypassPermissions.

use crate::obeyed::{answers, git, write};
use crate::support::Bench;
use serde_json::Value;

type NamedTexts = &'static [(&'static str, &'static str)];

/// Files that git holds, other files, what is ordinary, and what is not.
const ROWS: &[(NamedTexts, NamedTexts, &str, &str)] = &[
    // What a committed makefile writes and cleans up comes back.
    (
        &[("Makefile", "server: main.o\n\tcc -o $@ $^\nclean:\n\trm -rf out *.bak\n")],
        &[("server", "x"), ("out/a", "x"), ("a.bak", "x"), ("notes.txt", "x")],
        "rm -rf server out a.bak",
        "rm -rf server notes.txt",
    ),
    // Of several tasks one runs.
    (
        &[],
        &[(
            "tox.ini",
            "[testenv]\ndeps =\n  httpx[http2,socks]\n[testenv:clean]\ncommands = rm -rf /usr\n\
             [testenv:b]\ncommands = pytest\n",
        )],
        "tox -e b",
        "tox -e clean",
    ),
    (
        &[],
        &[("Rakefile", "task :drop do\n  sh 'rm -rf /usr'\nend\ntask :test do\n  sh 'pytest'\nend\n")],
        "rake test",
        "rake drop",
    ),
    (
        &[],
        &[(
            "noxfile.py",
            "import nox, os\n@nox.session\ndef lint(s):\n    s.run('ruff')\n@nox.session\ndef wipe(s):\n    \
             os.system('rm -rf /usr')\n",
        )],
        "nox -s lint",
        "nox -s wipe",
    ),
    (&[], &[], "run() { \"$@\"; }\nls", "run() { \"$@\"; }\nrun rm -rf /usr"),
    (&[], &[], "run() { eval \"$1\"; }\nls", "run() { eval \"$1\"; }\nrun 'rm -rf /usr'"),
    (&[], &[], "export AR=$TOOLCHAIN/bin/llvm-ar\nls", "export AR='rm -rf /usr'\nmake"),
    (&[("a", "x")], &[], "mkdir -p ~/bin ~/.local/bin", "cp a ~/bin/ls"),
    (&[], &[], "git clone https://github.com/a/b b\ncd b\ngit checkout v1", "git checkout v1 && rm -rf /usr"),
    (&[], &[], "pytest --db sqlite:///x.db", "pytest --db sqlite:////etc/passwd"),
    (&[], &[], "pytest --dburi=postgresql://scott:tiger@localhost/test", "pytest; rm -rf /usr"),
    (&[], &[], "${CARGO:-cargo} test", "${CARGO:-rm} -rf /usr"),
    (&[], &[], "PYTHON=${PYTHON:-python3}\n$PYTHON -m pytest", "RM=${RM:-rm}\n$RM -rf /usr"),
    (
        &[],
        &[("notes.txt", "x")],
        "mkdir -p \"$(git rev-parse --show-toplevel)/out\"",
        "rm -rf \"$(git rev-parse --show-toplevel)\"",
    ),
    (&[], &[("notes.txt", "x")], "cd $(mktemp -d) && echo hi > a && cat a", "cd $(mktemp -d); rm -rf *"),
    (&[], &[], "npx sv create my-app", "npx rimraf /usr"),
    // Untracked work that a program writes over, and what is only another form of it.
    (&[("a", "x")], &[("b", "untracked")], "xxd -r a new", "xxd -r a b"),
    (&[], &[("b", "untracked")], "gzip b", "zstd --rm b -o /dev/null"),
    (&[], &[], "git push --force-with-lease origin topic", "git push --force-with-lease"),
    // What runs because an address, a setting or a variable names it.
    (
        &[],
        &[],
        "git -c url.https://github.com/.insteadOf=git@github.com: fetch",
        "git -c 'remote.origin.url=ext::sh -c rm% -rf% /usr' fetch",
    ),
    (&[], &[], "git remote -v", "git -c 'url.ext::sh -c rm% -rf% /usr.insteadOf=x' fetch x"),
    (
        &[],
        &[
            ("global.json", "{\"sdk\": {\"paths\": [\".dotnet\"]}}\n"),
            (".dotnet/dotnet", "#!/bin/sh\nrm -rf /usr\n"),
        ],
        "ls .dotnet",
        "dotnet --version",
    ),
    (
        &[],
        &[("app.py", "print(1)\n"), ("fx/plug.py", "import os\nos.system('rm -rf /usr')\n")],
        "flask --app app.py run",
        "FLASK_APP=fx/plug.py flask run",
    ),
];

#[test]
fn ordinary_work_passes_and_its_twin_is_stopped() {
    let bench = Bench::new("");
    let project = bench.project();
    let folder = |at: usize, kind: &str| project.join(at.to_string()).join(kind);
    let mut calls = Vec::new();
    for (at, (held, _, ordinary, harmful)) in ROWS.iter().enumerate() {
        for (kind, command) in [("ordinary", ordinary), ("harmful", harmful)] {
            let folder = folder(at, kind);
            std::fs::create_dir_all(&folder).unwrap();
            write(&folder, held, "@");
            calls.push((folder.display().to_string(), (*command).to_owned()));
        }
    }
    git(&project, &["add", "-f", "."]);
    git(&project, &["commit", "-q", "-m", "held"]);
    for (at, (_, others, ..)) in ROWS.iter().enumerate() {
        ["ordinary", "harmful"].iter().for_each(|kind| write(&folder(at, kind), others, "@"));
    }
    let answers = answers(&bench, &calls);
    let wrong: Vec<String> = answers
        .chunks(2)
        .zip(ROWS)
        .filter(|(pair, _)| pair[0]["decision"] != "ALLOW" || pair[1]["decision"] == "ALLOW")
        .map(|(pair, (.., ordinary, harmful))| format!("{ordinary}\n  {}\n{harmful}\n  {}", pair[0], pair[1]))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A person is told which file can't be read, and no rule that has nothing to do with the call.
#[test]
fn a_question_about_what_can_not_be_read_names_it() {
    let bench = Bench::new("");
    let project = bench.project();
    write(&project, &[("broken.sh", "if true; then\n")], "");
    let call = |command: &str| (project.display().to_string(), command.to_owned());
    let told = |command: &str| -> Value { answers(&bench, &[call(command)])[0].clone() };
    let broken = told("bash broken.sh");
    assert!(broken["reason"].as_str().unwrap().contains("broken.sh"), "{broken}");
    let unseen = told("$UNKNOWN_TOOL --all");
    assert!(!unseen["reason"].as_str().unwrap().contains("npm publish"), "{unseen}");
}
