//! Operations act on the judged file, and never on anything outside.
#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use doorward_core::call::Root;
use doorward_core::effect::Protection;
use doorward_paths::{Access, Answer, Code, Request, Resolver, Roots};

struct Ground {
    base: tempfile::TempDir,
}

impl Ground {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(base.path().join("w/src")).unwrap();
        std::fs::create_dir_all(base.path().join("outside")).unwrap();
        std::fs::write(base.path().join("w/src/a"), "inside").unwrap();
        std::fs::write(base.path().join("outside/secret"), "outside").unwrap();
        Self { base }
    }

    fn w(&self) -> PathBuf {
        self.base.path().join("w")
    }

    fn outside(&self) -> PathBuf {
        self.base.path().join("outside")
    }

    fn roots(&self, resolver: Resolver) -> Roots {
        Roots::open(&[Root::parse(self.w().to_str().unwrap())]).unwrap().resolving(resolver)
    }
}

const BOTH: [Resolver; 2] = [Resolver::Kernel, Resolver::Walk];

#[test]
fn reads_and_writes_through_descriptors() {
    for resolver in BOTH {
        let ground = Ground::new();
        let (w, roots) = (ground.w(), ground.roots(resolver));
        symlink(w.join("src/a"), w.join("absolute")).unwrap();
        let open = |input: &str, access| roots.open_scoped(&Request::new(input, &w), &access);
        let mut text = String::new();
        let scoped = open("absolute", Access::Read).unwrap();
        assert_eq!(scoped.real, w.canonicalize().unwrap().join("src/a"));
        std::fs::File::from(scoped.fd).read_to_string(&mut text).unwrap();
        assert_eq!(text, "inside");

        let made = open("x/y/new.txt", Access::Write).unwrap();
        assert!(made.created);
        std::fs::File::from(made.fd).write_all(b"new").unwrap();
        assert_eq!(std::fs::read_to_string(w.join("x/y/new.txt")).unwrap(), "new");
        assert!(!open("x/y/new.txt", Access::Append).unwrap().created);
        assert_eq!(open("x/y/new.txt", Access::Create).unwrap_err().code, Code::WrongKind);
        assert_eq!(open("missing", Access::Read).unwrap_err().code, Code::NotFound);

        symlink(ground.outside().join("planted"), w.join("dangling")).unwrap();
        symlink("nowhere", w.join("dangling-inside")).unwrap();
        assert_eq!(open("dangling", Access::Write).unwrap_err().code, Code::Escape);
        assert_eq!(open("dangling-inside", Access::Write).unwrap_err().code, Code::NotFound);
        assert!(!ground.outside().join("planted").exists() && !w.join("nowhere").exists());

        let sink = open("/dev/null", Access::Write).unwrap();
        std::fs::File::from(sink.fd).write_all(b"gone").unwrap();
    }
}

#[test]
fn deleting_removes_names_and_never_targets() {
    for resolver in BOTH {
        let ground = Ground::new();
        let (w, roots) = (ground.w(), ground.roots(resolver));
        symlink(ground.outside(), w.join("out")).unwrap();
        symlink(ground.outside().join("secret"), w.join("src/file-out")).unwrap();
        let request = |input| Request::new(input, &w);
        assert_eq!(roots.delete_tree(&request("out/")).unwrap_err().code, Code::Escape);
        let asked = roots.delete_tree(&request("out")).unwrap_err();
        assert_eq!((asked.code, asked.answer), (Code::LinkedTree, Answer::Ask));
        roots.delete(&request("out")).unwrap();
        roots.delete_tree(&request("src")).unwrap();
        assert!(!w.join("src").exists() && !w.join("out").exists());
        assert_eq!(std::fs::read_to_string(ground.outside().join("secret")).unwrap(), "outside");
        assert_eq!(roots.delete_tree(&request(".")).unwrap_err().code, Code::WholeRoot);
    }
}

#[test]
fn moves_and_links_are_judged_at_both_ends() {
    for resolver in BOTH {
        let ground = Ground::new();
        let (w, roots) = (ground.w(), ground.roots(resolver));
        std::fs::create_dir_all(w.join("repo/.git")).unwrap();
        let request = |input| Request::new(input, &w);
        roots.rename(&request("src/a"), &request("src/b"), false).unwrap();
        assert!(w.join("src/b").exists());
        for (from, to, code) in [
            ("src/b", "../outside/b", Code::Escape),
            ("src/b", ".git", Code::Protected),
            ("repo", "repo2", Code::Protected),
            (".", "elsewhere", Code::Protected),
        ] {
            assert_eq!(
                roots.rename(&request(from), &request(to), true).unwrap_err().code,
                code,
                "{from} → {to}"
            );
        }
        roots.symlink(&request("good"), "src/b").unwrap();
        for target in ["/etc", "../outside", "src/../../outside"] {
            assert_eq!(roots.symlink(&request("bad"), target).unwrap_err().code, Code::Escape, "{target}");
        }
        std::fs::write(w.join(".env"), "x").unwrap();
        assert_eq!(roots.hard_link(&request(".env"), &request("e")).unwrap_err().code, Code::Secret);
        roots.hard_link(&request("src/b"), &request("c")).unwrap();
        // All hard links are inside, so writing is allowed; with one outside it needs a confirmation.
        assert!(roots.open_scoped(&request("c"), &Access::Write).is_ok());
        std::fs::hard_link(ground.outside().join("secret"), w.join("h")).unwrap();
        assert_eq!(roots.open_scoped(&request("h"), &Access::Write).unwrap_err().code, Code::Hardlink);
        assert_eq!(roots.open_scoped(&request("h"), &Access::Read).unwrap().remarks, [Code::Hardlink]);
        assert_eq!(roots.change_mode(&request("c"), 0o4755).unwrap_err().code, Code::Mode);
        roots.change_mode(&request("c"), 0o600).unwrap();
    }
}

#[test]
fn a_grant_settles_an_ask_and_never_a_denial() {
    let ground = Ground::new();
    let (w, roots) = (ground.w(), ground.roots(Resolver::Kernel));
    std::fs::write(w.join(".env"), "x").unwrap();
    let granted = [Code::Secret, Code::Protected, Code::Escape];
    let request = |input| Request { granted: &granted, ..Request::new(input, &w) };
    assert!(roots.open_scoped(&request(".env"), &Access::Read).is_ok());
    assert!(roots.open_scoped(&request("CLAUDE.md"), &Access::Write).is_ok());
    assert_eq!(roots.open_scoped(&request(".git/config"), &Access::Write).unwrap_err().code, Code::Protected);
    assert_eq!(
        roots.open_scoped(&request("../outside/secret"), &Access::Read).unwrap_err().code,
        Code::Escape
    );
}

#[test]
fn own_files_and_foreign_git_directories_are_protected_where_they_are() {
    let ground = Ground::new();
    let w = ground.w().canonicalize().unwrap();
    std::fs::create_dir_all(w.join("state/ledger")).unwrap();
    std::fs::create_dir_all(w.join("real-git")).unwrap();
    std::fs::write(w.join(".git"), "gitdir: real-git\n").unwrap();
    let roots = Roots::open(&[Root::parse(w.to_str().unwrap())])
        .unwrap()
        .protecting([(w.join("state"), Protection::Own)]);
    let code = |input, access: &Access| roots.check(input, access, &w, Default::default()).code;
    assert_eq!(code("state/ledger/x", &Access::Write), Some(Code::OwnFiles));
    assert_eq!(code("real-git/config", &Access::Write), Some(Code::Protected));
    assert_eq!(code("real-git/config", &Access::Read), Some(Code::NotFound));
    assert_eq!(code("state", &Access::DeleteTree), Some(Code::OwnFiles));
}
