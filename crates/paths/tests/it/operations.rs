//! The judged file is opened, and nothing outside.
#![cfg(target_os = "linux")]

use std::io::Read as _;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use doorward_core::call::Root;
use doorward_core::effect::Protection;
use doorward_paths::{Access, Code, Resolver, Roots};

struct TestFolder {
    base: tempfile::TempDir,
}

impl TestFolder {
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
fn reads_through_descriptors() {
    for resolver in BOTH {
        let folder = TestFolder::new();
        let (w, roots) = (folder.w(), folder.roots(resolver));
        symlink(w.join("src/a"), w.join("absolute")).unwrap();
        symlink(folder.outside().join("secret"), w.join("out")).unwrap();
        std::fs::write(w.join(".env"), "x").unwrap();
        let open = |input: &str, access| roots.open_scoped(input, &w, &access);
        let mut text = String::new();
        let scoped = open("absolute", Access::Read).unwrap();
        assert_eq!(scoped.real, w.canonicalize().unwrap().join("src/a"));
        std::fs::File::from(scoped.fd).read_to_string(&mut text).unwrap();
        assert_eq!(text, "inside");
        open("src", Access::List).unwrap();
        for (input, access, code) in [
            ("missing", Access::Read, Code::NotFound),
            ("out", Access::Read, Code::Escape),
            (".env", Access::Read, Code::Secret),
            ("/dev/null", Access::Read, Code::WrongKind),
            ("src/a", Access::Write, Code::WrongKind),
        ] {
            assert_eq!(open(input, access).unwrap_err().code, code, "{input}");
        }
    }
}

#[test]
fn changes_are_judged_by_the_names_and_links_they_touch() {
    for resolver in BOTH {
        let folder = TestFolder::new();
        let (w, roots) = (folder.w(), folder.roots(resolver));
        std::fs::create_dir_all(w.join("repo/.git")).unwrap();
        std::fs::write(w.join(".env"), "x").unwrap();
        std::fs::hard_link(w.join("src/a"), w.join("c")).unwrap();
        std::fs::hard_link(folder.outside().join("secret"), w.join("h")).unwrap();
        symlink(folder.outside(), w.join("out")).unwrap();
        symlink(folder.outside().join("planted"), w.join("dangling")).unwrap();
        for (input, access, code) in [
            ("dangling", Access::Write, Some(Code::Escape)),
            ("out/", Access::DeleteTree, Some(Code::Escape)),
            ("out", Access::DeleteTree, Some(Code::LinkedTree)),
            ("out", Access::Delete, None),
            (".", Access::DeleteTree, Some(Code::WholeRoot)),
            ("../outside/b", Access::RenameTo, Some(Code::Escape)),
            (".git", Access::RenameTo, Some(Code::Protected)),
            ("repo", Access::RenameFrom, Some(Code::Protected)),
            (".", Access::RenameFrom, Some(Code::Protected)),
            ("bad", Access::SymlinkTo("../outside".to_owned()), Some(Code::Escape)),
            ("bad", Access::SymlinkTo("src/../../outside".to_owned()), Some(Code::Escape)),
            (".env", Access::LinkFrom, Some(Code::Secret)),
            // All hard links are inside, so writing is allowed; with one outside it needs a confirmation.
            ("c", Access::Write, None),
            ("h", Access::Write, Some(Code::Hardlink)),
            ("h", Access::Read, None),
            ("c", Access::Chmod(0o4755), Some(Code::Mode)),
            ("c", Access::Chmod(0o600), None),
        ] {
            let verdict = roots.check(input, &access, &w, Default::default());
            assert_eq!(verdict.code, code, "{input} {access:?}: {verdict:?}");
        }
    }
}

#[test]
fn own_files_and_foreign_git_directories_are_protected_where_they_are() {
    let folder = TestFolder::new();
    let w = folder.w().canonicalize().unwrap();
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
