//! Repositories outside the working folder: git works in them, and a `.git` file can't open a foreign one.

use std::fs;
use std::path::{Path, PathBuf};

use super::git::{git, spec};
use super::{Workspace, err, out, run};
use crate::{Report, Spec, Status};

/// Two packages, a linked working tree, a submodule, and files that hold secrets.
struct Machine {
    _work: Workspace,
    mono: PathBuf,
    tree: PathBuf,
}

impl Machine {
    fn new() -> Self {
        let work = Workspace::new();
        let top = work.path();
        let (mono, inner) = (top.join("mono"), top.join("inner"));
        for folder in [&mono.join("packages/a"), &mono.join("packages/b"), &inner] {
            fs::create_dir_all(folder).unwrap();
        }
        for repository in [&mono, &inner] {
            git(repository, &["init", "-q", "-b", "main", "."]);
            fs::write(repository.join("file"), "one\n").unwrap();
        }
        for package in ["a", "b"] {
            fs::write(mono.join("packages").join(package).join("code"), "one\n").unwrap();
        }
        fs::write(mono.join(".gitignore"), ".env\n").unwrap();
        git(&inner, &["add", "."]);
        git(&inner, &["commit", "-qm", "inner"]);
        git(&mono, &["submodule", "--quiet", "add", &inner.display().to_string(), "packages/sub"]);
        git(&mono, &["add", "."]);
        git(&mono, &["commit", "-qm", "first"]);
        let tree = top.join("tree");
        git(&mono, &["worktree", "add", "-q", &tree.display().to_string(), "-b", "topic"]);
        for secret in [".env", "packages/b/.env"] {
            fs::write(mono.join(secret), "KEY=s3cret\n").unwrap();
        }
        Self { _work: work, mono, tree }
    }
}

/// A shell whose working folder is its one writable root.
fn shell(folder: &Path, command: &str) -> Report {
    run(at(folder, command))
}

fn at(folder: &Path, command: &str) -> Spec {
    let mut spec = spec(Spec::new("/bin/sh", folder).arg("-c").arg(format!("set -e; {command}")));
    spec.env.insert("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned());
    spec.env.insert("HOME".to_owned(), "/home/user".to_owned());
    spec
}

fn succeeds(folder: &Path, command: &str) -> String {
    let report = shell(folder, command);
    assert_eq!(report.status, Status::Exited { code: 0 }, "{command}: {} {}", out(&report), err(&report));
    out(&report)
}

#[test]
fn git_works_in_linked_trees_submodules_and_folders_of_a_repository() {
    let machine = Machine::new();
    let (mono, tree) = (&machine.mono, &machine.tree);
    let folders = [
        mono.join("packages/a"),
        mono.join("packages/sub"),
        tree.clone(),
        tree.join("packages/a"),
        tree.join("packages/b"),
    ];
    for (number, folder) in folders.into_iter().enumerate() {
        let state = succeeds(&folder, "git status --short");
        assert_eq!(state, "", "{}", folder.display());
        let work = format!(
            "echo two >> new; git add new; git commit -qm new-here; git log -1 --format=%s | grep -qx new-here; git \
             stash list; git switch -qc other-{number}; echo three >> new; git commit -qam three; git tag t-{number}; \
             git commit -q --amend -m four; git diff --quiet"
        );
        succeeds(&folder, &work);
        assert!(git(&folder, &["log", "-2", "--format=%s"]).contains("new-here"), "{}", folder.display());
        assert!(!git(&folder, &["status", "--short"]).contains("new"), "{}", folder.display());
    }
    git(mono, &["fsck", "--strict", "--no-progress"]);
    let beside = "cat ../b/code && git show HEAD:packages/b/code";
    assert_eq!(succeeds(&mono.join("packages/a"), beside), "one\none");
}

/// Attempts, from `packages/a` or a linked tree, to make a repository run programs or to reach files outside the
/// run.
const TRIES: &[&str] = &[
    "git config core.fsmonitor ./run",
    "git config --worktree core.fsmonitor ./run",
    "echo x >> $(git rev-parse --git-common-dir)/config",
    "echo x > $(git rev-parse --git-common-dir)/hooks/post-commit",
    "echo x > $(git rev-parse --git-common-dir)/commondir",
    "echo x > $(git rev-parse --git-dir)/commondir && grep -qx x $(git rev-parse --git-dir)/commondir",
    "echo x > $(git rev-parse --git-dir)/config.worktree",
    "mv $(git rev-parse --git-common-dir)/config $(git rev-parse --git-common-dir)/c",
    "mv $(git rev-parse --git-common-dir)/hooks $(git rev-parse --git-common-dir)/h",
    "echo '* filter=x' > $(git rev-parse --git-common-dir)/info/attributes",
    "echo x > $(git rev-parse --git-common-dir)/modules/packages/sub/config",
    "echo 'gitdir: /evil' > $(git rev-parse --show-toplevel)/.git",
    "rm -rf $(git rev-parse --show-toplevel)/.git",
    "echo x >> $(git rev-parse --show-toplevel)/packages/b/code",
    "touch $(git rev-parse --show-toplevel)/packages/b/new",
];

#[test]
fn nothing_outside_the_folder_is_armed_or_changed() {
    let machine = Machine::new();
    let (mono, tree) = (&machine.mono, &machine.tree);
    let state = || {
        let read = |name: &str| fs::read_to_string(mono.join(name)).unwrap_or_default();
        let list = |name: &str| {
            let mut all: Vec<_> = fs::read_dir(mono.join(name))
                .map(|entries| entries.map(|entry| entry.unwrap().file_name()).collect())
                .unwrap_or_default();
            all.sort();
            format!("{all:?}")
        };
        [
            read(".git/config"),
            read(".git/modules/packages/sub/config"),
            read(".git/worktrees/tree/commondir"),
            read(".git/info/attributes"),
            read("packages/b/code"),
            list("packages/b"),
            list(".git/hooks"),
            fs::read_to_string(tree.join(".git")).unwrap(),
        ]
        .join("\n")
    };
    let before = state();
    for folder in [mono.join("packages/a"), tree.join("packages/a"), tree.clone()] {
        for attempt in TRIES {
            // The linked tree's top contains `packages/b` itself.
            if folder == *tree && attempt.contains("packages/b") {
                continue;
            }
            let report = shell(&folder, attempt);
            assert_ne!(report.status, Status::Exited { code: 0 }, "{attempt} in {}", folder.display());
            assert_eq!(state(), before, "{attempt} in {}", folder.display());
            for name in [".git/commondir", ".git/config.worktree", ".git/worktrees/tree/config.worktree"] {
                assert!(!mono.join(name).exists(), "{attempt}: {name}");
            }
        }
    }
}

#[test]
fn secrets_beside_the_folder_are_not_to_be_had_and_never_committed() {
    let machine = Machine::new();
    let package = machine.mono.join("packages/a");
    for name in ["../../.env", "../b/.env"] {
        let report = shell(&package, &format!("cat {name}"));
        assert!(!out(&report).contains("s3cret"), "{name}");
        assert_ne!(report.status, Status::Exited { code: 0 }, "{name}: not even as an empty file");
        let report = shell(&package, &format!("chmod 644 {name}; cat {name}; mv {name} x; echo x > {name}"));
        assert!(!out(&report).contains("s3cret"), "{name}");
    }
    // If such a file is tracked, git sees no change in it that it could commit.
    git(&machine.mono, &["add", "-f", "packages/b/.env"]);
    git(&machine.mono, &["commit", "-qm", "a secret"]);
    shell(&package, "git commit -qam all");
    assert_eq!(git(&machine.mono, &["show", "HEAD:packages/b/.env"]), "KEY=s3cret\n");
    assert_eq!(fs::read_to_string(machine.mono.join("packages/b/.env")).unwrap(), "KEY=s3cret\n");
}

#[test]
fn a_git_file_opens_nothing_that_does_not_point_back() {
    let machine = Machine::new();
    let (mono, top) = (&machine.mono, machine.mono.parent().unwrap().to_owned());
    fs::write(mono.join(".git/description"), "s3cret\n").unwrap();
    let other = top.join("other");
    let linked = fs::read_to_string(machine.tree.join(".git")).unwrap();
    let module = format!("gitdir: {}/.git/modules/packages/sub\n", mono.display());
    // A git folder of a working tree that names another repository as the shared one.
    let made = top.join("made/worktrees/x");
    fs::create_dir_all(&made).unwrap();
    fs::write(made.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(made.join("commondir"), format!("{}/.git\n", mono.display())).unwrap();
    fs::write(made.join("gitdir"), format!("{}/.git\n", other.display())).unwrap();
    for text in [
        format!("gitdir: {}/.git\n", mono.display()),
        linked,
        module,
        format!("gitdir: {}\n", made.display()),
        "gitdir: ../mono/.git\n".to_owned(),
        "gitdir: /\n".to_owned(),
        "gitdir: /root\n".to_owned(),
    ] {
        let _ = fs::remove_dir_all(&other);
        fs::create_dir_all(other.join("below")).unwrap();
        fs::write(other.join(".git"), &text).unwrap();
        fs::write(other.join("beside"), "s3cret\n").unwrap();
        for folder in [other.clone(), other.join("below")] {
            let look = format!("cat {0}/.git/description {0}/file; ls {0}/.git; git log", mono.display());
            let report = shell(&folder, &format!("set +e; {look}; cd ..; cat beside"));
            let said = out(&report);
            let own = folder == other;
            assert!(own || !said.contains("s3cret"), "{text:?} in {}: {said}", folder.display());
            assert!(!said.contains("one") && !said.contains("first"), "{text:?}: {said}");
            assert!(!said.contains("HEAD"), "{text:?}: {said}");
        }
    }
    // A whole home isn't shown because it is a repository of dotfiles.
    let mut spec = at(&mono.join("packages/a"), "cat ../b/code");
    spec.env.insert("HOME".to_owned(), mono.display().to_string());
    assert_ne!(run(spec).status, Status::Exited { code: 0 });
}

#[test]
fn a_folder_that_may_only_be_read_leaves_its_repository_as_it_is() {
    let machine = Machine::new();
    for folder in [machine.tree.clone(), machine.mono.join("packages/a")] {
        let mut spec =
            at(&folder, "git status --short; git log -1 --format=%s; ! git update-ref refs/heads/x HEAD");
        spec.roots = vec![crate::Root::read(&folder)];
        let report = run(spec);
        assert_eq!(
            (report.status, out(&report).as_str()),
            (Status::Exited { code: 0 }, "first"),
            "{}",
            err(&report)
        );
    }
    assert!(!git(&machine.mono, &["branch", "--list"]).contains(" x"));
}

#[test]
fn what_we_withheld_is_the_last_word() {
    let machine = Machine::new();
    let package = machine.mono.join("packages/a");
    let report = shell(&package, "git config x.y z");
    let word = report.last_word().unwrap_or_default();
    assert!(
        word.contains("nothing was written to") && word.contains(".git/config:"),
        "{word}: {}",
        err(&report)
    );
    let report = shell(&package, "mkdir -p .vscode; echo x > .vscode/tasks.json");
    assert!(report.last_word().is_some_and(|word| word.contains(".vscode")), "{:?}", report.last_word());
    // If the failure wasn't our doing, there is no message.
    for command in ["exit 3", "git status; false", "ls nowhere", "git config x.y z || true"] {
        assert_eq!(shell(&package, command).last_word(), None, "{command}");
    }
    let away = machine.mono.parent().unwrap().join("away");
    fs::create_dir_all(away.join("react")).unwrap();
    std::os::unix::fs::symlink(&away, package.join("node_modules")).unwrap();
    let word = shell(&package, "ls node_modules/react").last_word().unwrap_or_default();
    assert!(word.starts_with("node_modules leads to ") && word.contains("--read"), "{word}");
    assert_eq!(shell(&package, "ls").last_word(), None);

    let mut spec = at(&package, "sleep 20");
    spec.limits.wall = std::time::Duration::from_secs(1);
    let word = run(spec).last_word().unwrap_or_default();
    assert!(word.starts_with("stopped after 1 s of 1 s.") && word.contains("--wall 10m"), "{word}");
}
