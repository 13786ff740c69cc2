//! Paths as agents send them, in a tree with links of every kind: an allowed path lies inside the roots, and so does
//! what is opened for it. Names and patterns are compared whatever stands in them.

use std::os::fd::AsRawFd;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use doorward_core::call::{OutsideRoots, Root};
use doorward_paths::access::Operation;
use doorward_paths::archive::{ArchiveMembers, Limits, Member};
use doorward_paths::{
    Access, Answer, Resolver, Roots, could_be_secret, glob, is_secret, key, protection, text,
};

const OPERATIONS: &str = "read list stat lstat write append create mkdir delete delete_tree chmod:777 chmod:644 mknod \
    extract:a/b extract:../x extract_link:.. rename_to:a/x link_to:a/y symlink_to:../outside copy_to:b none";

/// A tree of links: `w` is the root, and `outside` lies beside it.
struct LinkedTree {
    _folder: tempfile::TempDir,
    w: PathBuf,
    roots: [Roots; 2],
}

static TREE: LazyLock<LinkedTree> = LazyLock::new(|| LinkedTree::plant().expect("a tree of files and links"));

impl LinkedTree {
    fn plant() -> std::io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let base = folder.path().canonicalize()?;
        let w = base.join("w");
        std::fs::create_dir_all(w.join("a/b/deep"))?;
        std::fs::create_dir_all(base.join("outside/b"))?;
        std::fs::write(base.join("outside/f"), "outside")?;
        for file in ["f", "a/f", "a/b/f", ".env", "a/id_rsa"] {
            std::fs::write(w.join(file), "inside")?;
        }
        std::fs::create_dir(w.join(".git"))?;
        for (name, target) in [
            ("up", "..".into()),
            ("out", base.join("outside")),
            ("in", "a/b".into()),
            ("abs", w.join("a")),
            ("dangling", base.join("outside/none")),
            ("loop", "loop".into()),
            ("a/b/up", "../../../outside".into()),
        ] {
            symlink(target, w.join(name))?;
        }
        std::fs::hard_link(base.join("outside/f"), w.join("hard"))?;
        let open = || Roots::open(&[Root::parse(&w.to_string_lossy())]).map_err(std::io::Error::other);
        let roots = [open()?, open()?.resolving(Resolver::Walk)];
        Ok(Self { _folder: folder, w, roots })
    }
}

/// A path, and on the next line a pattern, another path or a folder. `{w}` stands for the root.
pub(super) fn check(bytes: &[u8]) {
    let w = &TREE.w;
    let both = String::from_utf8_lossy(bytes).replace("{w}", &w.to_string_lossy());
    let (path, other) = both.split_once('\n').unwrap_or((&both, "*"));
    let _ = (key::key(path), is_secret(path), could_be_secret(path), protection(path), text::read(path));
    // Matching costs the product of both lengths; names have at most this length.
    let pattern: String = other.chars().take(255).collect();
    let _ = (glob::matches_component(&pattern, path), glob::overlaps(&pattern, path));
    let mut members = ArchiveMembers::new(Limits::default());
    let _ = (members.next(path, Member::Symlink(other)), members.next(other, Member::File(1)));
    let operations: Vec<&str> = OPERATIONS.split_whitespace().collect();
    let operation = operations.get(bytes.len() % operations.len()).copied().unwrap_or_default();
    let _ = Operation::parse(operation);
    let _ = doorward_paths::scope_row(path, operation, &[Root::parse(&w.to_string_lossy())], other);
    for roots in &TREE.roots {
        for access in [Access::Read, Access::Lstat, Access::List, Access::Delete, Access::Write] {
            let verdict = roots.check(path, &access, w, OutsideRoots::Strict);
            if verdict.answer == Answer::Allow && verdict.code.is_none() {
                let real = &verdict.real;
                assert!(real.starts_with(w) || real == Path::new("/dev/null"), "{path:?}: {verdict:?}");
            }
        }
        if let Ok(scoped) = roots.open_scoped(path, w, &Access::Read) {
            let real = std::fs::read_link(format!("/proc/self/fd/{}", scoped.fd.as_raw_fd()));
            assert!(real.is_ok_and(|real| real.starts_with(w)), "{path:?} opened outside: {:?}", scoped.real);
        }
    }
}
