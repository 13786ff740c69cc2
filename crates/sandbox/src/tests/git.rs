//! Git inside: everyday work succeeds, and nothing can be left that makes git outside run programs.

use std::path::Path;
use std::process::Command;

use super::{Workspace, err, out, run};
use crate::{Report, Spec, Status};

/// Git outside, run as the owner of the workspace.
pub(super) fn git(folder: &Path, arguments: &[&str]) -> String {
    let done = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"])
        .args(arguments)
        .env("HOME", "/nonexistent")
        .output()
        .unwrap();
    assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// A repository with two commits, a submodule, a linked working tree, and a local remote below the same root.
fn repository() -> Workspace {
    let work = Workspace::new();
    let root = work.path();
    git(&root, &["init", "-q", "-b", "main", "."]);
    std::fs::write(root.join("file"), "one\n").unwrap();
    git(&root, &["add", "."]);
    git(&root, &["commit", "-qm", "first"]);
    git(&root, &["init", "-q", "--bare", "-b", "main", "remote.git"]);
    git(&root, &["remote", "add", "origin", "./remote.git"]);
    git(&root, &["push", "-q", "-u", "origin", "main"]);
    let source = Workspace::new();
    git(&source.path(), &["init", "-q", "-b", "main", "."]);
    std::fs::write(source.path().join("inner"), "x\n").unwrap();
    git(&source.path(), &["add", "."]);
    git(&source.path(), &["commit", "-qm", "inner"]);
    git(&root, &["submodule", "--quiet", "add", &source.path().display().to_string(), "sub"]);
    std::fs::write(root.join(".gitignore"), "remote.git\ntree\n").unwrap();
    git(&root, &["add", "."]);
    git(&root, &["commit", "-qm", "second"]);
    work
}

fn inside(work: &Workspace, command: &str) -> Report {
    run(spec(work.shell(&format!("set -e; {command}"))))
}

/// Adds name and address for git's commits.
pub(super) fn spec(mut spec: Spec) -> Spec {
    spec.env.insert("GIT_AUTHOR_NAME".to_owned(), "a".to_owned());
    spec.env.insert("GIT_COMMITTER_NAME".to_owned(), "a".to_owned());
    spec.env.insert("GIT_AUTHOR_EMAIL".to_owned(), "a@b".to_owned());
    spec.env.insert("GIT_COMMITTER_EMAIL".to_owned(), "a@b".to_owned());
    spec.env.insert("GIT_EDITOR".to_owned(), "true".to_owned());
    spec.limits.processes = 512;
    spec
}

/// What people do with git, and commands that do it.
const EVERYDAY: &[(&str, &str)] = &[
    ("status", "git status --short; git diff; git log --oneline"),
    ("add and commit", "echo two >> file; git add file; git commit -qm three; git status --short"),
    ("amend", "git commit -q --amend -m three-again"),
    (
        "editor",
        "echo three >> file; GIT_EDITOR='echo edited >' git commit -qa; git log -1 --format=%s | grep -qx edited",
    ),
    (
        "branch and switch",
        "git switch -qc topic; echo topic > topic; git add topic; git commit -qm topic; git switch -q main",
    ),
    ("merge", "git merge -q --no-ff -m merge topic"),
    (
        "merge with a conflict",
        "git switch -qc a HEAD~1; echo a > file; git commit -qam a; git switch -q main; echo b > file; git \
         commit -qam b; git merge a && exit 1; git checkout -q --theirs file; git add file; git commit -qm merged",
    ),
    (
        "merge given up",
        "git switch -qc c HEAD~2; echo c > file; git commit -qam c; git switch -q main; git merge c && exit 1; \
         git merge --abort",
    ),
    (
        "rebase",
        "git switch -qc d HEAD~1; echo d > d; git add d; git commit -qm d; git rebase -q main; git switch -q main",
    ),
    (
        "rebase with a conflict",
        "git switch -qc e HEAD~1; echo e > file; git commit -qam e; git rebase main && exit 1; git rebase \
         --abort; git switch -q main",
    ),
    (
        "interactive rebase",
        "git switch -q d; git -c sequence.editor='sed -i s/pick/reword/' rebase -q -i HEAD~1; git switch -q main",
    ),
    ("cherry-pick and revert", "git cherry-pick d >/dev/null; git revert --no-edit HEAD >/dev/null"),
    (
        "am",
        "git format-patch -q -1 d; git switch -qc f d~1; git am -q *.patch; rm *.patch; git switch -q main",
    ),
    ("stash", "echo s >> file; git stash -q; git stash pop -q; git checkout -q file"),
    ("reset", "git reset -q --hard HEAD~1; git reset -q --hard ORIG_HEAD"),
    ("tag", "git tag v1; git tag -a v2 -m two; git tag -d v1"),
    ("bisect", "git bisect start -q HEAD HEAD~2 >/dev/null; git bisect reset 2>&1"),
    ("fetch and push", "git fetch -q origin; git push -q origin main; git branch -qD f"),
    ("pack and collect", "git pack-refs --all; git gc -q; git branch -qD e; git fsck --no-progress 2>&1"),
    (
        "track a remote's branch",
        "git switch -qc own; git push -q -u origin own; git switch -q main; git branch -qD own; git switch -q own; \
         git rev-parse -q --abbrev-ref own@{u}; git branch -qm own2; git switch -q main; git branch -qD own2",
    ),
    ("update a submodule", "git submodule --quiet update"),
    ("sparse checkout and exclude", "echo x >> .git/info/exclude; git check-ignore -q x"),
    ("notes", "git notes add -m n; git notes show"),
    (
        "work in a submodule",
        "cd sub; echo y >> inner; git commit -qam y; cd ..; git add sub; git commit -qm sub",
    ),
    (
        "a linked working tree",
        "git worktree add -q tree -b wt; cd tree; echo w > w; git add w; git commit -qm w; cd ..; git worktree \
         list; git worktree remove tree; git branch -qD wt",
    ),
    (
        "plumbing in .git",
        "cd .git; git update-ref refs/heads/z HEAD; git symbolic-ref HEAD refs/heads/main; git update-ref -d \
         refs/heads/z",
    ),
];

#[test]
fn everyday_work_goes_on() {
    let work = repository();
    for (what, command) in EVERYDAY {
        let report = inside(&work, command);
        assert_eq!(report.status, Status::Exited { code: 0 }, "{what}: {} {}", out(&report), err(&report));
    }
    let root = work.path();
    assert_eq!(git(&root, &["status", "--short"]), "", "outside everything is as git left it inside");
    git(&root, &["fsck", "--strict", "--no-progress"]);
    let log = git(&root, &["log", "--oneline"]);
    assert!(log.contains(" sub") && log.contains(" merged"), "{log}");
    assert!(!root.join(".git/index.lock").exists() && !root.join(".git/rebase-merge").exists());
    {
        use std::os::unix::fs::MetadataExt;
        let owner = |name: &str| std::fs::metadata(root.join(name)).unwrap().uid();
        for name in [".git/index", ".git/HEAD", ".git/ORIG_HEAD", ".git/modules/sub/index"] {
            assert_eq!(owner(name), owner("."), "{name} belongs to the owner of the root");
        }
    }
}

/// Ways to make the next git outside run a program, with what they would leave.
const ARMS: &[&str] = &[
    "echo ../evil > .git/commondir",
    "cp -r evil .git/x && mv .git/x/commondir .git/commondir",
    "ln -s ../evil/commondir .git/commondir",
    "ln evil/commondir .git/commondir",
    "mv evil/commondir .git/commondir",
    "mkdir .git/commondir",
    "git config core.fsmonitor ./evil/run",
    "echo x > .git/config.worktree",
    "mv .git/config .git/c; cp evil/config .git/config",
    "printf '[core]\\nfsmonitor=./evil/run\\n' > .git/index.lock && mv .git/index.lock .git/config",
    "printf '[core]\\nfsmonitor=./evil/run\\n' > .git/config.lock; mv .git/config.lock .git/config || \
     rm -f .git/config.lock",
    "cp .git/config .git/config.lock; printf '[alias]\\ns=!./evil/run\\n' >> .git/config.lock; \
     mv .git/config.lock .git/config || rm -f .git/config.lock",
    "git config branch.main.remote ./evil",
    "cp evil/run .git/hooks/post-index-change",
    "mv .git/hooks .git/h; cp -r evil/hooks .git/hooks",
    "printf '* filter=x\\n' > .git/info/attributes",
    "printf '[core]\\nfsmonitor=./evil/run\\n' >> .git/modules/sub/config",
    "git -C sub config core.fsmonitor ./run",
    "cp evil/run .git/modules/sub/hooks/post-index-change",
    "echo ../../../evil > .git/modules/sub/commondir",
    "mkdir -p .git/modules/new && cp evil/config .git/modules/new/",
    "mv .git/modules .git/m; cp -r evil .git/modules",
    "echo 'gitdir: ../evil' > sub/.git",
    "mv .git g; cp -r evil .git",
    "rm -rf .git/config",
    "mv .git/rebase-merge .git/modules/x",
    "echo ../../evil > remote.git/commondir",
    "cp evil/run remote.git/hooks/post-receive",
    "git -C remote.git config core.hooksPath /",
    "mkdir -p .git/rebase-merge/x && cp evil/config .git/rebase-merge/x/ && mv .git/rebase-merge/x .git/worktrees/x",
    "mkdir -p .git/worktrees/x && cp evil/config .git/worktrees/x/config.worktree",
];

/// Everything that makes git run programs and therefore must not change.
fn armed(root: &Path) -> String {
    let look = "find . -path '*/objects' -prune -o \\( -name 'config*' -o -path '*hooks*' -o -name commondir -o \
        -name attributes -o -name .git -o -name .hg \\) -not -path './evil*' -printf '%p %y %s %i\\n' | sort; cat \
        .git/config .git/modules/sub/config sub/.git";
    let done = Command::new("sh").current_dir(root).args(["-c", look]).output().unwrap();
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn a_known_repository_is_not_armed() {
    let work = repository();
    let root = work.path();
    let evil = "mkdir -p evil/objects evil/refs evil/hooks; echo 'ref: refs/heads/main' > evil/HEAD; \
        echo ../evil > evil/commondir; \
        printf '[core]\\nrepositoryformatversion=0\\nfsmonitor=./evil/run\\n' > evil/config; printf '#!/bin/sh\\n\
        touch %s/ran\\n' \"$PWD\" > evil/run; \
        chmod +x evil/run; cp evil/run evil/hooks/post-index-change";
    assert!(Command::new("sh").current_dir(&root).args(["-c", evil]).status().unwrap().success());
    if crate::sys::ids().0 == 0 {
        assert!(
            Command::new("chown")
                .args(["-R", "--reference=.", "evil"])
                .current_dir(&root)
                .status()
                .unwrap()
                .success()
        );
    }
    let before = armed(&root);
    for arm in ARMS {
        inside(&work, arm);
        assert_eq!(armed(&root), before, "{arm}");
        git(&root, &["status"]);
        assert!(!root.join("ran").exists(), "{arm}");
    }
    // A linked working tree's `commondir` can't be chosen.
    let report = inside(
        &work,
        "mkdir -p .git/worktrees/x; echo ../../../evil > .git/worktrees/x/commondir; cat .git/worktrees/x/commondir",
    );
    assert_eq!(out(&report), "../..", "{}", err(&report));
}

#[test]
fn a_git_directory_that_may_only_be_read_is_not_written_on_anybodys_behalf() {
    let work = repository();
    let mut spec: Spec = work.shell("echo x > .git/ORIG_HEAD; git update-ref ORIG_HEAD HEAD");
    spec.roots.push(crate::Root::read(work.path().join(".git")));
    let report = run(spec);
    assert_ne!(report.status, Status::Exited { code: 0 }, "{}", err(&report));
    assert!(!work.path().join(".git/ORIG_HEAD").exists());
}

#[test]
fn a_repository_that_a_run_armed_never_counts_outside() {
    for (what, arm) in [
        (
            "a nested one, added as a gitlink",
            "git init -q n; cd n; git commit -q --allow-empty -m x; git config core.fsmonitor $PWD/../run; cd ..; \
             git add n 2>/dev/null; git ls-files -s n | grep -q ^160000",
        ),
        (
            "a clone with a hook",
            "git clone -q --no-hardlinks remote.git n; cp run n/.git/hooks/post-index-change",
        ),
        (
            "a bare one",
            "git init -q --bare n; git -C n config core.fsmonitor $PWD/run; git -C n config core.bare false; git \
             -C n config core.worktree $PWD",
        ),
        (
            "a file that names it",
            "git init -q --bare e; git -C e config core.fsmonitor $PWD/run; git -C e config core.bare false; mkdir \
             n; echo 'gitdir: ../e' > n/.git",
        ),
    ] {
        let work = repository();
        let root = work.path();
        let prepare = "printf '#!/bin/sh\ntouch %s/ran\n' \"$PWD\" > run; chmod 755 run";
        assert!(Command::new("sh").current_dir(&root).args(["-c", prepare]).status().unwrap().success());
        let report = inside(&work, arm);
        assert_eq!(report.status, Status::Exited { code: 0 }, "{what}: {} {}", out(&report), err(&report));
        for folder in [".", "n"] {
            let done = Command::new("git")
                .current_dir(root.join(folder))
                .args(["status"])
                .env("HOME", "/nonexistent")
                .output();
            done.unwrap();
        }
        assert!(!root.join("ran").exists(), "{what}: {:?}", report.leftovers);
        let codes: Vec<_> = report.leftovers.iter().map(|left| left.code).collect();
        assert!(codes.contains(&crate::LeftoverCode::Quarantined), "{what}: {codes:?}");
    }
}

/// Goes on with git outside, as a person would.
#[test]
fn what_a_run_left_half_way_runs_nothing_and_leads_nowhere_outside() {
    let todo = "mkdir -p .git/rebase-merge; git rev-parse HEAD > .git/rebase-merge/onto; cp .git/rebase-merge/onto \
        .git/rebase-merge/orig-head; echo refs/heads/main > .git/rebase-merge/head-name; \
        echo 1 > .git/rebase-merge/msgnum; \
        echo 2 > .git/rebase-merge/end; : > .git/rebase-merge/interactive;";
    for (what, arm, go_on, gone) in [
        (
            "a step",
            format!("{todo} echo \"exec $PWD/run\" > .git/rebase-merge/git-rebase-todo"),
            "rebase --continue",
            ".git/rebase-merge",
        ),
        (
            "its short form",
            format!("{todo} printf 'pick HEAD\\n  x %s/run\\n' $PWD > .git/rebase-merge/git-rebase-todo"),
            "rebase --continue",
            ".git/rebase-merge",
        ),
        (
            "a strategy",
            format!("{todo} echo evil > .git/rebase-merge/strategy"),
            "rebase --continue",
            ".git/rebase-merge",
        ),
        (
            "a pick list",
            "mkdir -p .git/sequencer; echo \"exec $PWD/run\" > .git/sequencer/todo".to_owned(),
            "cherry-pick --continue",
            ".git/sequencer",
        ),
        (
            "HEAD that leads out",
            "echo 'ref: ../evil' > .git/HEAD.lock; mv .git/HEAD.lock .git/HEAD".to_owned(),
            "status",
            ".git/HEAD",
        ),
        (
            "a reference that leads out",
            "echo 'ref: refs/../../evil' > .git/refs/heads/out".to_owned(),
            "status",
            ".git/refs/heads/out",
        ),
    ] {
        let work = repository();
        let root = work.path();
        let prepare = "printf '#!/bin/sh\ntouch %s/ran\n' \"$PWD\" > run; chmod 755 run";
        assert!(Command::new("sh").current_dir(&root).args(["-c", prepare]).status().unwrap().success());
        let report = inside(&work, &arm);
        assert_eq!(report.status, Status::Exited { code: 0 }, "{what}: {}", err(&report));
        assert!(std::fs::symlink_metadata(root.join(gone)).is_err(), "{what}: {:?}", report.leftovers);
        let told = report.leftovers.iter().any(|left| left.path.ends_with(gone) && left.moved_to.is_some());
        assert!(told, "{what}: {:?}", report.leftovers);
        let _ = Command::new("git")
            .current_dir(&root)
            .args(go_on.split(' '))
            .env("HOME", "/nonexistent")
            .output();
        assert!(!root.join("ran").exists(), "{what}");
    }
}

/// Users go on with a rebase that stopped at a conflict.
#[test]
fn work_that_stopped_half_way_goes_on_outside() {
    let work = repository();
    let root = work.path();
    let command =
        "git switch -qc e HEAD~1; echo e > file; git commit -qam e; git rebase main && exit 1; true";
    std::fs::write(root.join("file"), "b\n").unwrap();
    git(&root, &["commit", "-qam", "b"]);
    let report = inside(&work, command);
    assert_eq!(report.status, Status::Exited { code: 0 }, "{}", err(&report));
    assert!(report.leftovers.is_empty(), "{:?}", report.leftovers);
    assert!(root.join(".git/rebase-merge").exists());
    git(&root, &["rebase", "--abort"]);
    git(&root, &["status"]);
}
