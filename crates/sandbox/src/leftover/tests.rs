use std::fs;
use std::process::Command;

use super::*;

fn sh(root: &Path, command: &str) {
    let done =
        Command::new("sh").current_dir(root).args(["-ec", command]).env("HOME", "/nonexistent").output();
    let done = done.unwrap();
    assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
}

/// What is found after `command`, in a root prepared by the shell command `before`.
fn left(before: &str, command: &str) -> (tempfile::TempDir, PathBuf, Vec<(LeftoverCode, String)>) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    sh(&root, before);
    std::thread::sleep(Duration::from_millis(20));
    let mut state = Before::new(sys::file_time());
    state.add(&root, &find::repositories(&root), BTreeSet::new());
    sh(&root, command);
    let found = state.search();
    assert_eq!(state.search(), found, "a second search says the same");
    let short = |left: &Leftover| left.path.strip_prefix(&root).unwrap().display().to_string();
    let found = found.iter().map(|left| (left.code, short(left))).collect();
    (folder, root, found)
}

const EVIL: &str = "printf '[core]\\nfsmonitor=./x\\n' >>";

#[test]
fn a_repository_that_runs_programs_is_put_out_of_effect() {
    for (what, command, path) in [
        ("a configuration", format!("git init -q sub; {EVIL} sub/.git/config"), "sub/.git"),
        (
            "a hook",
            "git init -q sub; echo x > sub/.git/hooks/pre-commit; chmod +x sub/.git/hooks/pre-commit"
                .to_owned(),
            "sub/.git",
        ),
        (
            "deep down",
            format!("git init -q a/b/c/d/e/f/g; {EVIL} a/b/c/d/e/f/g/.git/config"),
            "a/b/c/d/e/f/g/.git",
        ),
        (
            "in node_modules",
            format!("git init -q node_modules/x; {EVIL} node_modules/x/.git/config"),
            "node_modules/x/.git",
        ),
        ("a bare one", format!("git init -q --bare b.git; {EVIL} b.git/config"), "b.git/HEAD"),
        ("the root itself, bare", format!("git init -q --bare .; {EVIL} config"), "HEAD"),
        (
            "another's configuration",
            format!(
                "git init -q e; mkdir e/.git/c; mv e/.git/config e/.git/objects e/.git/refs e/.git/c; \
                {EVIL} e/.git/c/config; echo c > e/.git/commondir"
            ),
            "e/.git",
        ),
        (
            "a file that names it",
            format!(
                "git init -q --bare d; {EVIL} d/config; mkdir s; echo 'gitdir: ../d' > s/.git; rm -r d/refs; \
                 mkdir d/refs"
            ),
            "s/.git",
        ),
        ("a file that leads out", "mkdir s; echo 'gitdir: /somewhere' > s/.git".to_owned(), "s/.git"),
        (
            "a file that names one that was there",
            "mkdir s; echo 'gitdir: ../there' > s/.git".to_owned(),
            "s/.git",
        ),
        ("a link", "git init -q x; mkdir s; ln -s ../x/.git s/.git".to_owned(), "s/.git"),
        (
            "a linked configuration",
            "git init -q s; rm s/.git/config; ln -s /x s/.git/config".to_owned(),
            "s/.git",
        ),
    ] {
        let (_folder, root, found) =
            left(&format!("git init -q --bare there; {EVIL} there/config"), &command);
        assert!(
            found.iter().any(|(code, own)| (*code, own.as_str()) == (LeftoverCode::Quarantined, path)),
            "{what}: {found:?}"
        );
        assert!(fs::symlink_metadata(root.join(path)).is_err(), "{what}");
        let mut moved = root.join(path).into_os_string();
        moved.push(QUARANTINED);
        assert!(fs::symlink_metadata(&moved).is_ok(), "{what}: nothing is lost");
    }
}

#[test]
fn one_prepared_under_another_name_is_found_when_it_gets_its_name() {
    let (_folder, _, found) = left(
        &format!("git init -q sub; mv sub/.git sub/git; {EVIL} sub/git/config; rm sub/git/HEAD"),
        "echo 'ref: refs/heads/x' > sub/git/HEAD; mv sub/git sub/.git",
    );
    assert_eq!(found, [(LeftoverCode::Quarantined, "sub/.git".to_owned())]);
}

#[test]
fn ordinary_repositories_are_left_alone() {
    let (_folder, root, found) = left(
        &format!(
            "git init -q old; {EVIL} old/.git/config; mkdir -p a/b/c/d/e; git init -q a/b/c/d/e/f; {EVIL} \
             a/b/c/d/e/f/.git/config"
        ),
        "git init -q new; git -C new config user.name x; git clone -q --bare new b.git 2>/dev/null; git clone \
         -q new c 2>/dev/null; touch file old/file a/b/c/d/e/f/file",
    );
    assert_eq!(found, [], "those that were there belong to their owner");
    assert!(root.join("new/.git").is_dir());
    let (_folder, _, found) = left(
        "git init -q .; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x",
        "git worktree add -q tree 2>/dev/null",
    );
    assert_eq!(found, []);
}

#[test]
fn a_known_repository_that_was_armed_is_told_and_stays() {
    let (_folder, root, found) = left("git init -q .", &format!("{EVIL} .git/config"));
    assert_eq!(found, [(LeftoverCode::Armed, ".git".to_owned())]);
    assert!(root.join(".git/config").exists());
}

#[test]
fn a_known_repository_never_gets_a_commondir() {
    let (_folder, root, found) =
        left("git init -q .; git init -q --bare b", "echo ../b > .git/commondir; echo .. > b/commondir");
    let (bare, git) = ("b/commondir".to_owned(), ".git/commondir".to_owned());
    assert_eq!(found, [(LeftoverCode::Quarantined, git), (LeftoverCode::Quarantined, bare)]);
    assert!(fs::symlink_metadata(root.join(".git/commondir")).is_err());
}

#[test]
fn names_that_programs_read_are_told() {
    let (_folder, _, found) = left(
        "mkdir -p .github/workflows .cargo; touch .npmrc .github/workflows/old.yml; mkdir -p sub; touch sub/.envrc",
        "echo x > .npmrc; mkdir -p app/.vscode; echo {} > app/.vscode/tasks.json; \
        echo x > .github/workflows/ci.yml; echo x > .cargo/config.toml; \
         echo x > CLAUDE.md; echo x > lefthook.yml; echo x > .gitmodules; \
          touch .env README.md .gitignore; mkdir .husky .venv; touch .venv/x; cat sub/.envrc",
    );
    let paths: Vec<&str> = found.iter().map(|(_, path)| path.as_str()).collect();
    assert_eq!(
        paths,
        [
            ".cargo/config.toml",
            ".github/workflows",
            ".gitmodules",
            ".npmrc",
            "CLAUDE.md",
            "app/.vscode",
            "lefthook.yml"
        ]
    );
    assert!(found.iter().all(|(code, _)| *code == LeftoverCode::RunsLater));
}

#[test]
fn links_where_git_writes_are_put_out_of_effect() {
    let out = tempfile::tempdir().unwrap();
    let start = out.path().join("start");
    fs::write(&start, "mine\n").unwrap();
    let before = "git init -q .; git config user.email t@example.com; git config user.name t; \
                  git commit -q --allow-empty -m one";
    let to = |place: &str| format!("rm -rf .git/{place}; ln -s {} .git/{place}", start.display());
    for place in ["logs/HEAD", "logs/refs/stash", "logs/refs/heads/new", "objects/pack", "objects/aa"] {
        let (_folder, root, found) = left(before, &to(place));
        let wanted = (LeftoverCode::Quarantined, format!(".git/{place}"));
        assert!(found.contains(&wanted), "{place}: {found:?}");
        sh(&root, "git commit -q --allow-empty -m two; git branch new; git repack -qad");
        assert_eq!(fs::read_to_string(&start).unwrap(), "mine\n", "{place}");
    }
    // What git itself leaves there is no such link.
    let (_folder, _root, found) =
        left(before, "git commit -q --allow-empty -m two; git gc -q; git stash list");
    assert_eq!(found, [], "git's own work");
}

#[test]
fn objects_of_a_repository_outside_are_not_borrowed() {
    let out = tempfile::tempdir().unwrap();
    sh(out.path(), "git init -q .");
    let objects = out.path().join(".git/objects");
    let line = format!("echo {} > .git/objects/info/alternates", objects.display());
    let (_folder, _root, found) = left("git init -q .", &line);
    assert_eq!(found, [(LeftoverCode::Quarantined, ".git/objects/info/alternates".to_owned())]);
    let (_folder, _root, found) = left(
        "git init -q one; git init -q two",
        "cd one; echo ../../../two/.git/objects > .git/objects/info/alternates",
    );
    assert_eq!(found, [], "inside the root");
}

#[test]
fn a_folder_that_may_not_be_listed_hides_no_repository() {
    let command = format!("mkdir h; git init -q h/sub; {EVIL} h/sub/.git/config; chmod 0111 h");
    let (_folder, _root, found) = left("true", &command);
    assert_eq!(found, [(LeftoverCode::Quarantined, "h/sub/.git".to_owned())]);
}

#[test]
fn a_name_that_is_no_text_is_reported_nevertheless() {
    use std::os::unix::ffi::OsStringExt as _;
    let path = PathBuf::from(OsString::from_vec(b"/s/od\xffd/.git".to_vec()));
    let told = Leftover {
        code: LeftoverCode::Quarantined,
        path: path.clone(),
        message: "gone".to_owned(),
        moved_to: Some(path),
    };
    let text = serde_json::to_string(&told).unwrap();
    assert!(text.contains("/s/od\u{fffd}d/.git"), "{text}");
}
