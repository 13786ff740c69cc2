//! Everyday tools in the sandbox, in every shape that a repository takes: the command ends as it does outside, or its
//! last line says what Doorward withheld. At a terminal and through the service.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{self, Bench, DOORWARD};

const CONFIG: &str = "[confirm]\npolicy = { kind = \"NeverConfirm\" }\n[rules]\nallow = [\"shell(*)\"]\n\
                      [egress]\nallow = [\"reachable.example\"]\n";

/// Shapes of a repository: the shell text that makes one below `$BASE`, and the folder to work in.
const LAYOUTS: &[(&str, &str, &str)] = &[
    ("plain", "git init -q plain && cd plain && $ID && $FILES && $COMMIT", "plain"),
    (
        "linked worktree",
        "git init -q main && cd main && $ID && $FILES && $COMMIT && git worktree add -q ../tree -b t",
        "tree",
    ),
    (
        "subfolder of a monorepo",
        "git init -q mono && cd mono && $ID && mkdir -p packages/a && cd packages/a && $FILES && cd ../.. && $COMMIT",
        "mono/packages/a",
    ),
    (
        "submodule",
        "git init -q inner && cd inner && $ID && $FILES && $COMMIT && cd .. && \
         git init -q super && cd super && $ID && \
         git -c protocol.file.allow=always submodule --quiet add ../inner sub && $COMMIT && cd sub && $ID",
        "super/sub",
    ),
];

const COMMIT: &str = "git add . && git commit -qm one";
const IDENTITY: &str = "git config user.name Ada && git config user.email ada@example.com";

/// Files that the tools work on.
const FILES: &str = "mkdir src && printf 'all: out\\nout: src/x\\n\\tcp src/x out\\n' > Makefile && echo x > src/x && \
    printf 'import unittest\\nclass T(unittest.TestCase):\\n    def test(self):\\n        self.assertEqual(1, 1)\\n' \
    > test_x.py && printf 'int main(void) { return 0; }\\n' > main.c && echo out > .gitignore";

/// A tool, what it needs to be there, and a command. Those with a network of their own ask their own server.
const TOOLS: &[(&str, &str)] = &[
    ("git", "git status --short; git add -A; git commit -q --allow-empty -m two; git log --format=%s%n%an"),
    (
        "git",
        "git checkout -q -b side; echo y > y; git add y; git commit -qm side; git rebase -q HEAD~1; git stash list",
    ),
    ("git", "git tag v1; git branch -m renamed; git reflog | wc -l; git gc -q; git fsck"),
    (
        "git",
        "git branch base && git checkout -q -b topic --track base; git status -sb; git branch -m t2; git branch",
    ),
    ("git", "git submodule update -q; git stash -q; git worktree list | wc -l"),
    (
        "cargo",
        "cargo init -q --lib --vcs none lib && cd lib && cargo test -q --offline 2>/dev/null | grep -c ok",
    ),
    ("npm", "echo '{\"scripts\": {\"test\": \"node -p 6*7\"}}' > package.json && npm test --silent"),
    (
        "gpg",
        "mkdir -m 700 g && export GNUPGHOME=$PWD/g && gpg -q --batch --passphrase '' --quick-gen-key ada default \
         default never 2>/dev/null && echo hi | gpg -q --batch -u ada --clearsign | grep -c BEGIN; gpgconf --kill all",
    ),
    ("perl", "perl -e 'open my $f, q(>), q(made) or die; print $f 1; close $f; print -s q(made), qq(\\n)'"),
    (
        "java",
        "printf 'class A { public static void main(String[] a) { System.out.println(6 * 7); } }' > A.java && \
              java A.java 2>/dev/null",
    ),
    ("make", "make -s && cat out && make -s -j2"),
    ("gcc", "gcc -o prog main.c && ./prog; echo $?"),
    ("python3", "python3 -m unittest -q 2>&1 | tail -1"),
    (
        "python3",
        "python3 -c 'import multiprocessing as m\nprint(m.get_context(\"fork\").Pool(2).map(abs, [-1, 2]))'",
    ),
    ("node", "node -e 'require(\"fs\").writeFileSync(\"made\", \"1\"); console.log(process.argv.length)'"),
    ("sqlite3", "sqlite3 data.db 'create table t(x); insert into t values(7); select x from t'"),
    ("tar", "tar cf a.tar src && mkdir to && tar xf a.tar -C to && ls -A to"),
    ("sh", "ls -A | sort; cat .envrc 2>&1; date +%Z; id -un >/dev/null && echo named"),
    (
        "curl",
        "python3 -c 'import http.server as h, threading as t, subprocess as s\n\
         class Q(h.SimpleHTTPRequestHandler):\n    def log_message(self, *a): pass\n\
         v = h.ThreadingHTTPServer((\"127.0.0.1\", 0), Q); t.Thread(target=v.serve_forever, daemon=True).start()\n\
         for name in [\"127.0.0.1\", \"localhost\"]:\n    \
         print(s.run([\"curl\", \"-sS\", f\"http://{name}:{v.server_port}/Makefile\"], capture_output=True).stdout)'",
    ),
    (
        "node",
        "node -e 'const s = require(\"http\").createServer((q, r) => r.end(\"pong\")).listen(0, \"127.0.0.1\", \
         async () => {\n\
         const u = \"http://127.0.0.1:\" + s.address().port; console.log(await (await fetch(u)).text());\n\
         require(\"http\").get(u, r => { console.log(r.statusCode); process.exit(0) }) })'",
    ),
];

/// One shape of a repository, made anew for each command.
struct Shape<'a> {
    bench: &'a Bench,
    base: PathBuf,
    folder: PathBuf,
}

impl Shape<'_> {
    fn make(bench: &Bench, number: usize, (name, text, folder): (&str, &str, &str)) -> PathBuf {
        let base = bench.file(&format!("layout-{number}"));
        std::fs::create_dir(&base).unwrap();
        let text = text.replace("$FILES", FILES).replace("$ID", IDENTITY).replace("$COMMIT", COMMIT);
        let made = Command::new("bash").args(["-ec", &text]).current_dir(&base).status().unwrap();
        assert!(made.success(), "{name}");
        base.join(folder)
    }

    /// The exit code and the output of a command, outside or by Doorward.
    fn run(&self, program: &Path, words: &[&str]) -> (i32, String) {
        let output = Command::new(program)
            .args(words)
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
    }

    /// By `doorward run`: in its own process if options say so, else through the service.
    fn doorward(&self, options: &[&str], command: &str) -> (i32, String) {
        let state = self.bench.state().display().to_string();
        let words = [&["run", "--state", &state], options, &["--", command]].concat();
        self.run(Path::new(DOORWARD), &words)
    }
}

fn has(tool: &str) -> bool {
    Command::new(tool).arg("--version").stdin(Stdio::null()).output().is_ok()
}

#[test]
fn tools_end_as_outside_or_say_what_was_withheld() {
    let mut bench = Bench::new(CONFIG);
    bench.serve();
    let mut number = 0;
    let mut wrong = Vec::new();
    // A sample of all pairs: git in every shape, every other tool in two.
    for (at, (tool, command)) in TOOLS.iter().enumerate() {
        if !has(tool) {
            support::lacking("tools_end_as_outside_or_say_what_was_withheld", tool);
            continue;
        }
        let shapes = if *tool == "git" { LAYOUTS.len() } else { 2 };
        for layout in LAYOUTS.iter().cycle().skip(at % LAYOUTS.len()).take(shapes) {
            let mut results = Vec::new();
            for way in ["outside", "terminal", "service"] {
                number += 1;
                let folder = Shape::make(&bench, number, *layout);
                let shape = Shape { bench: &bench, base: bench.file(&format!("layout-{number}")), folder };
                results.push(match way {
                    "outside" => shape.run(Path::new("bash"), &["-c", command]),
                    "terminal" => shape.doorward(&["--wall", "2m"], command),
                    _ => shape.doorward(&[], command),
                });
                std::fs::remove_dir_all(&shape.base).unwrap();
            }
            let outside = results.remove(0);
            for (way, inside) in ["terminal", "service"].iter().zip(results) {
                let said = inside.1.lines().last().is_some_and(|line| line.starts_with("Doorward: "));
                if inside != outside && !said {
                    wrong.push(format!("{} / {way} / {command}\n  {outside:?}\n  {inside:?}", layout.0));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {number}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_linked_package_is_seen_without_its_secrets() {
    let mut bench = Bench::new(CONFIG);
    let project = bench.project();
    let files = [
        ("lib/package.json", "{\"name\": \"lib\"}"),
        ("lib/index.js", "module.exports = 7"),
        ("lib/.env", "x"),
    ];
    for (name, text) in files {
        let file = bench.file(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    std::fs::create_dir_all(project.join("node_modules")).unwrap();
    std::os::unix::fs::symlink("../../lib", project.join("node_modules/lib")).unwrap();
    let look = "const fs = require('fs'), folder = require.resolve('lib').replace('index.js', '');\n\
                const code = f => { try { f(); return 'done' } catch (error) { return error.code } };\n\
                console.log(require('lib'), code(() => fs.readFileSync(folder + '.e' + 'nv')),\n\
                code(() => fs.writeFileSync(folder + 'index.js', 'x')));\n";
    std::fs::write(project.join("look.js"), look).unwrap();
    let command = "node look.js";
    let run = |bench: &Bench, options: &[&str]| {
        let shape = Shape { bench, base: bench.file(""), folder: bench.project() };
        shape.doorward(options, command)
    };
    let here = run(&bench, &["--wall", "1m"]);
    bench.serve();
    for (exit, text) in [here, run(&bench, &[])] {
        assert_eq!((exit, text.as_str()), (0, "7 EACCES EROFS\n"));
    }
    assert_eq!(std::fs::read_to_string(bench.file("lib/index.js")).unwrap(), "module.exports = 7");
}

#[test]
fn a_judged_read_outside_is_seen_and_what_lies_beside_is_not() {
    let bench = Bench::new(CONFIG);
    for name in ["sibling/notes.txt", "sibling/other.txt"] {
        std::fs::create_dir_all(bench.file("sibling")).unwrap();
        std::fs::write(bench.file(name), "theirs\n").unwrap();
    }
    let shape = Shape { bench: &bench, base: bench.file(""), folder: bench.project() };
    let (exit, text) = shape.doorward(&["--wall", "1m"], "cat ../sibling/notes.txt; echo ../sibling/*");
    assert_eq!((exit, text.as_str()), (0, "theirs\n../sibling/notes.txt\n"));
}

#[test]
fn what_doorward_made_fail_is_said_in_the_last_line() {
    let bench = Bench::new(CONFIG);
    let pack = "mkdir -p made/.vscode && tar cf made.tar -C made .vscode && rm -r made";
    assert!(Command::new("sh").args(["-c", pack]).current_dir(bench.project()).status().unwrap().success());
    let shape = Shape { bench: &bench, base: bench.file(""), folder: bench.project() };
    for (options, command, said) in [
        (
            &["--no-network"][..],
            "curl -sS http://192.0.2.9/",
            "no route to 192.0.2.9:80: this run has no network",
        ),
        (
            &["--no-network"],
            "curl -sS http://somewhere.example/",
            "no host name is looked up: this run has no network",
        ),
        (&["--allow", "a.example"], "curl -sSf http://b.example/", "no route to b.example:80"),
        (&["--wall", "1"], "sleep 20", "stopped after 1 s of 1 s"),
        (&["--wall", "1m"], "git config x.y z", "nothing was written to .git/config"),
        (&["--wall", "1m"], "tar xf made.tar", "nothing was written to .vscode"),
        (&["--wall", "1m"], "echo x > /tmp/kept-by-nobody", "/tmp/kept-by-nobody was made in a private /tmp"),
        (&["--memory", "64M"], "head -c 150m /dev/zero | tail -c 149m | wc -c; false", "64 MiB of memory"),
    ] {
        let (exit, text) = shape.doorward(options, command);
        let last = text.lines().last().unwrap_or_default();
        assert!(last.starts_with("Doorward: ") && last.contains(said), "{command}: {exit}: {text}");
    }
    for harmless in ["true", "test -e nothing", "echo x > /tmp/x; rm /tmp/x"] {
        let (_, text) = shape.doorward(&["--wall", "1m"], harmless);
        assert_eq!(text, "", "{harmless}");
    }
}
