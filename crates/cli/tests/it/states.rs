//! States of a repository × commands: no question where nothing is lost; where something is, a short sentence names it
//! and counts it. Each row makes its state with git itself. In bypassPermissions, where only a loss asks.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::Bench;

/// Two commits; `README.md` and `src/a.rs` tracked.
const BEGUN: &str = "git config user.name a && git config user.email a@b.example && git checkout -q -B main && \
    mkdir src && \
    echo one > README.md && echo code > src/a.rs && printf 'ignored/\\n' > .gitignore && git add -A && \
    git commit -qm one && echo two >> README.md && git commit -qam two";
const BRANCH_WITH_A_COMMIT: &str =
    "git checkout -qb u && echo y > y && git add y && git commit -qm three && git checkout -q main";

/// How the state is made, the command, and the words that the question names the loss by; none: no question.
const ROWS: &[(&str, &str, &[&str])] = &[
    ("", "git stash drop", &[]),
    ("", "git stash clear", &[]),
    ("echo x >> README.md && git stash", "git stash drop", &["stash@{0}", "WIP on main", "two"]),
    ("echo x >> README.md && git stash", "git stash drop stash@{1}", &[]),
    ("echo x >> README.md && git stash", "git stash drop 0", &["stash@{0}", "WIP on main"]),
    ("echo x >> README.md && git stash", "git stash clear", &["the 1 entry of the stash"]),
    ("echo x >> README.md && git stash", "git stash pop", &[]),
    ("", "git clean -fd", &[]),
    ("echo x > u.txt", "git clean -fd", &["u.txt"]),
    ("mkdir ignored && echo x > ignored/d", "git clean -fd", &[]),
    ("mkdir ignored && echo x > ignored/d", "git clean -fdx", &["ignored"]),
    ("", "git reset --hard", &[]),
    ("echo x >> README.md", "git reset --hard", &["README.md"]),
    ("", "git reset --hard HEAD~1", &["1 commit (", "no other branch, tag or remote"]),
    ("echo z >> README.md && git commit -qam three", "git reset --hard HEAD~2", &["2 commits ("]),
    ("git branch keep", "git reset --hard HEAD~1", &[]),
    ("git tag keep", "git reset --hard HEAD^", &[]),
    ("git branch keep", "git reset --hard keep", &[]),
    ("git branch keep && git commit -q --allow-empty -m three", "git reset --hard keep", &["1 commit ("]),
    ("git branch keep", "git branch -D keep && git reset --hard HEAD~1", &["commits after the target"]),
    ("", "git branch -D nosuch", &[]),
    ("git branch m", "git branch -D m", &[]),
    (BRANCH_WITH_A_COMMIT, "git branch -D u", &["1 commit (", "of `u`"]),
    (BRANCH_WITH_A_COMMIT, "git branch -D -", &["nothing else reached"]),
    ("", "git switch --discard-changes main", &[]),
    ("echo x >> README.md", "git switch --discard-changes main", &["README.md"]),
    ("", "rm -rf src", &[]),
    ("", "git rm -rq src", &[]),
    ("echo x > src/u", "rm -rf src", &["src"]),
    ("echo x >> src/a.rs", "rm -rf src", &["src"]),
    ("mkdir src/ignored && echo x > src/ignored/d", "rm -rf src", &["src"]),
    ("", "rm README.md", &[]),
    ("echo x >> README.md", "rm README.md", &["README.md"]),
    ("", "> README.md", &[]),
    ("", "> new.txt", &[]),
    ("echo x > u.txt", "> u.txt", &["u.txt"]),
];

const UNTRACKED: &str = "echo x > u.txt";
const CHANGED: &str = "echo x >> README.md";

/// The command, a state in which it loses something and one in which it doesn't, and the words that name the loss.
const PAIRS: &[(&str, &str, &str, &[&str])] = &[
    ("rm u.txt", UNTRACKED, "", &["u.txt"]),
    ("rm -f u.txt", UNTRACKED, "", &["u.txt"]),
    ("unlink u.txt", UNTRACKED, "", &["u.txt"]),
    ("shred u.txt", UNTRACKED, "", &["u.txt"]),
    ("rm *.md", "echo x > n.md", "", &["n.md"]),
    ("rm src/*", "echo x > src/u", "", &["src/u"]),
    ("rm -rf src/*", "echo x > src/u", "", &["src/u"]),
    ("rm -rf docs", "mkdir docs && echo x > docs/n", "mkdir docs", &["docs"]),
    ("rm -r docs", "mkdir docs && echo x > docs/n", "mkdir docs", &["docs"]),
    ("mv src/a.rs README.md", CHANGED, "", &["README.md"]),
    ("mv src/a.rs u.txt", UNTRACKED, "", &["u.txt"]),
    ("mv -f src/a.rs u.txt", UNTRACKED, "", &["u.txt"]),
    ("cp src/a.rs u.txt", UNTRACKED, "", &["u.txt"]),
    ("cp -f src/a.rs README.md", CHANGED, "", &["README.md"]),
    ("truncate -s 0 u.txt", UNTRACKED, "", &["u.txt"]),
    ("truncate -s 0 README.md", CHANGED, "", &["README.md"]),
    ("dd if=/dev/zero of=u.txt count=1", UNTRACKED, "", &["u.txt"]),
    ("sort -o u.txt README.md", UNTRACKED, "", &["u.txt"]),
    ("cat src/a.rs > u.txt", UNTRACKED, "", &["u.txt"]),
    (": > u.txt", UNTRACKED, "", &["u.txt"]),
    ("ln -sf src/a.rs u.txt", UNTRACKED, "", &["u.txt"]),
    ("find src -type f -delete", "echo x > src/u", "", &["src"]),
    ("python3 -c \"open('u.txt','w').write('')\"", UNTRACKED, "", &["u.txt"]),
    ("python3 -c \"import os; os.remove('u.txt')\"", UNTRACKED, "", &["u.txt"]),
    ("python3 -c \"import shutil; shutil.rmtree('src')\"", "echo x > src/u", "", &["src"]),
    ("node -e \"require('fs').unlinkSync('u.txt')\"", UNTRACKED, "", &["u.txt"]),
    ("perl -e 'unlink \"u.txt\"'", UNTRACKED, "", &["u.txt"]),
    ("git checkout -- README.md", CHANGED, "", &["README.md"]),
    ("git checkout README.md", CHANGED, "", &["README.md"]),
    ("git checkout .", CHANGED, "", &["README.md"]),
    ("git checkout HEAD -- README.md", CHANGED, "", &["README.md"]),
    ("git checkout -f main", CHANGED, "", &["README.md"]),
    ("git checkout -f", CHANGED, "", &["README.md"]),
    ("git restore README.md", CHANGED, "", &["README.md"]),
    ("git restore .", CHANGED, "", &["README.md"]),
    ("git restore --source=HEAD~1 README.md", CHANGED, "", &["README.md"]),
    ("git restore -SW README.md", CHANGED, "", &["README.md"]),
    ("git switch -f main", CHANGED, "", &["README.md"]),
    ("git reset --hard HEAD", CHANGED, "", &["README.md"]),
    (
        "git branch -D u v",
        "git checkout -qb u && git commit -q --allow-empty -m three && git branch v && git checkout -q main",
        "git branch u && git branch v",
        &["1 commit (", "`u, v`"],
    ),
    ("git clean -f", UNTRACKED, "", &["u.txt"]),
    ("git clean -fdX", "mkdir ignored && echo x > ignored/d", "", &["ignored"]),
    ("git clean -f u.txt", UNTRACKED, "", &["u.txt"]),
    ("git rm -f README.md", CHANGED, "", &["README.md"]),
    ("git rm -rf src", "echo x >> src/a.rs", "", &["src"]),
];

/// Words of a sentence at most.
const LONGEST: usize = 15;

/// A reason without the codes of rules and findings, which stand in brackets.
fn sentence(reason: &str) -> String {
    let is_code = |word: &&str| {
        let inner = word.trim_matches(['[', ']', '(', ')', '.']);
        word.starts_with(['[', '(']) && inner.contains('.') && !inner.contains('/')
    };
    reason.split(' ').filter(|word| !is_code(word)).collect::<Vec<_>>().join(" ")
}

fn sh(folder: &Path, text: &str) {
    let done = Command::new("sh").args(["-ec", text]).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{text}: {}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn a_question_names_what_is_lost_and_nothing_is_asked_where_nothing_is() {
    let bench = Bench::new("");
    let state = bench.state().display().to_string();
    let mut wrong = Vec::new();
    let pairs = PAIRS.iter().flat_map(|(command, lossy, safe, named)| {
        [(*lossy, *command, *named), (*safe, *command, &[] as &[&str])]
    });
    for (number, (made, command, named)) in ROWS.iter().copied().chain(pairs).enumerate() {
        let folder = bench.file(&format!("repository-{number}"));
        std::fs::create_dir(&folder).unwrap();
        sh(&folder, "git init -q .");
        sh(&folder, BEGUN);
        sh(&folder, if made.is_empty() { ":" } else { made });
        let place = folder.display().to_string();
        let words = ["--json", "--mode", "bypassPermissions", "--state", &state, "--cwd", &place];
        let (_, text) = bench.doorward(&[&["check", command][..], &words].concat());
        let answer: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{command}: {text}"));
        let (asks, reason) = (answer["decision"] != "ALLOW", answer["reason"].as_str().unwrap());
        let said = sentence(reason);
        let is_plain = said.split_whitespace().count() <= LONGEST && !said.contains(" told");
        if asks && !is_plain {
            wrong.push(format!("{made:?} | {command} | too long: {said}"));
        }
        if asks == named.is_empty() || named.iter().any(|word| asks && !reason.contains(word)) {
            wrong.push(format!("{made:?} | {command} | {reason}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
