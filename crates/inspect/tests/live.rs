//! The live world: links, git's own files, bounded reads.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::path::Path;
use std::process::Command;

use doorward_core::world::{FileKind, Unseen, VcsState, World};
use doorward_inspect::LiveWorld;

fn git(dir: &Path, args: &[&str]) -> bool {
    let done = Command::new("git")
        .current_dir(dir)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"])
        .args(args)
        .output();
    done.is_ok_and(|output| output.status.success())
}

#[test]
fn looks_are_bounded_and_resolve_links() {
    let base = tempfile::tempdir().unwrap();
    let w = base.path().canonicalize().unwrap();
    std::fs::create_dir_all(w.join("a/b")).unwrap();
    std::fs::write(w.join("a/f"), "text").unwrap();
    std::fs::write(w.join("binary"), [0xff, 0xfe]).unwrap();
    std::os::unix::fs::symlink(w.join("a/b"), w.join("l")).unwrap();
    let world = LiveWorld::new(None, vec![]);
    let at = |name: &str| w.join(name).to_str().unwrap().to_owned();
    assert_eq!(world.real_path(&at("l/../f")), Ok(at("a/f")));
    assert_eq!(world.real_path(&at("l/new/deep")), Ok(at("a/b/new/deep")));
    assert_eq!(world.kind(&at("l")), Ok(FileKind::Link));
    assert_eq!(world.kind(&at("nothing")), Err(Unseen::Missing));
    assert_eq!(world.read_text(&at("a/f"), 4), Ok("text".to_owned()));
    assert_eq!(world.read_text(&at("a/f"), 3), Err(Unseen::TooLarge));
    assert_eq!(world.read_text(&at("binary"), 10), Err(Unseen::Unreadable));
    assert_eq!(world.read_text(&at("a"), 10), Err(Unseen::Missing));
    assert!(world.names(&at("a"), 1).unwrap().len() == 1);
}

#[test]
fn git_is_read_and_never_run() {
    let base = tempfile::tempdir().unwrap();
    let w = base.path().canonicalize().unwrap();
    std::fs::create_dir_all(w.join("src/deep")).unwrap();
    for (name, text) in [
        ("src/clean.rs", "1"),
        ("src/deep/changed.rs", "1"),
        (".gitignore", "/out\n*.cache\n!keep.cache\n"),
        ("src/.gitignore", "local\n"),
    ] {
        std::fs::write(w.join(name), text).unwrap();
    }
    let made = git(&w, &["init", "-q"]) && git(&w, &["add", "."]) && git(&w, &["commit", "-q", "-m", "x"]);
    if !made {
        eprintln!("LACKING: no git here, so its index can't be made; the reader of the index is not tested");
        return;
    }
    assert!(git(&w, &["remote", "add", "origin", "git@example.com:me/x.git"]));
    std::fs::write(w.join("src/deep/changed.rs"), "22").unwrap();
    std::fs::create_dir_all(w.join("out")).unwrap();
    for name in ["new.rs", "out/x", "a.cache", "keep.cache", "src/local"] {
        std::fs::write(w.join(name), "1").unwrap();
    }
    for version in ["2", "3", "4"] {
        assert!(git(&w, &["update-index", "--index-version", version]));
        let world = LiveWorld::new(None, vec![]);
        let state = |name: &str| world.vcs(w.join(name).to_str().unwrap());
        for (name, expected) in [
            ("src/clean.rs", VcsState::Clean),
            ("src/deep/changed.rs", VcsState::Modified),
            ("new.rs", VcsState::Untracked),
            ("out/x", VcsState::Ignored),
            ("out", VcsState::Ignored),
            ("a.cache", VcsState::Ignored),
            ("keep.cache", VcsState::Untracked),
            ("src/local", VcsState::Ignored),
            ("src/deep", VcsState::Modified),
        ] {
            assert_eq!(state(name), Ok(expected), "{name}, index version {version}");
        }
        assert_eq!(
            world.remote_url(w.to_str().unwrap(), "origin").as_deref(),
            Ok("git@example.com:me/x.git")
        );
        assert_eq!(world.remote_url(w.to_str().unwrap(), "other"), Err(Unseen::Missing));
    }
    // The index changes, and the next look sees it.
    let world = LiveWorld::new(None, vec![]);
    let new = w.join("new.rs").to_str().unwrap().to_owned();
    assert_eq!(world.vcs(&new), Ok(VcsState::Untracked));
    assert!(git(&w, &["add", "new.rs"]));
    assert_eq!(world.vcs(&new), Ok(VcsState::Clean));
}
