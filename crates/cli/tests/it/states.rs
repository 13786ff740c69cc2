//! States of a repository × commands: no question where nothing is lost; where something is, the sentence names it and
//! counts it. Each row makes its state with git itself. In bypassPermissions, where only a loss asks.

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
    (BRANCH_WITH_A_COMMIT, "git branch -D -", &["only this branch"]),
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

fn sh(folder: &Path, text: &str) {
    let done = Command::new("sh").args(["-ec", text]).current_dir(folder).output().unwrap();
    assert!(done.status.success(), "{text}: {}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn a_question_names_what_is_lost_and_nothing_is_asked_where_nothing_is() {
    let bench = Bench::new("");
    let state = bench.state().display().to_string();
    let mut wrong = Vec::new();
    for (number, (made, command, named)) in ROWS.iter().enumerate() {
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
        if asks == named.is_empty() || named.iter().any(|word| asks && !reason.contains(word)) {
            wrong.push(format!("{made:?} | {command} | {reason}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
