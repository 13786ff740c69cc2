//! Random trees with links, and random bytes: the opened file is the one that the kernel opens, and nothing panics.
#![cfg(target_os = "linux")]

use std::collections::VecDeque;
use std::ffi::OsString;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Component, Path, PathBuf};

use doorward_core::call::{OutsideRoots, Root};
use doorward_paths::access::Operation;
use doorward_paths::{
    Access, Answer, Code, Resolver, Roots, could_be_secret, glob, is_secret, key, protection, scope_row,
};
use proptest::prelude::*;

fn name() -> impl Strategy<Value = String> {
    prop_oneof![Just("a"), Just("b"), Just("c"), Just("d")].prop_map(str::to_owned)
}

fn component() -> impl Strategy<Value = String> {
    prop_oneof![4 => name(), 2 => Just("..".to_owned()), 1 => Just(".".to_owned()), 1 => Just(String::new())]
}

fn relative() -> impl Strategy<Value = String> {
    proptest::collection::vec(component(), 1..6).prop_map(|parts| parts.join("/"))
}

#[derive(Debug, Clone)]
enum Step {
    Folder(String),
    File(String),
    Link(String, String),
    AbsoluteLink(String, String),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        relative().prop_map(Step::Folder),
        relative().prop_map(Step::File),
        (relative(), relative()).prop_map(|(at, to)| Step::Link(at, to)),
        (relative(), relative()).prop_map(|(at, to)| Step::AbsoluteLink(at, to)),
    ]
}

/// Deep enough that random `..` can't leave the test's folder.
const DEEP: &str = "1/2/3/4/5/6/w";

/// Everything below `folder` except the content of the root.
fn outside(folder: &Path, root: &Path, names: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        names.push(entry.path());
        if entry.file_type().unwrap().is_dir() && entry.path() != root {
            outside(&entry.path(), root, names);
        }
    }
    names.sort();
}

fn build(base: &Path, steps: &[Step]) {
    let w = base.join(DEEP);
    std::fs::create_dir_all(w.join("a/b")).unwrap();
    std::fs::write(w.join("a/f"), "x").unwrap();
    for step in steps {
        // Steps that don't fit the tree so far are skipped.
        let _ = match step {
            Step::Folder(at) => std::fs::create_dir_all(w.join(at)),
            Step::File(at) => std::fs::write(w.join(at), "x"),
            Step::Link(at, to) => symlink(if to.is_empty() { "." } else { to }, w.join(at)),
            Step::AbsoluteLink(at, to) => symlink(w.join(to), w.join(at)),
        };
    }
}

/// Whether the path follows a link outside `root`. Nothing outside is opened, so such a path is refused even if the
/// link leads back in.
fn follows_a_link_outside(root: &Path, path: &Path) -> bool {
    let mut at = PathBuf::from("/");
    let mut todo: VecDeque<OsString> = names(path).collect();
    for _ in 0..1000 {
        let Some(name) = todo.pop_front() else { return false };
        if name == ".." {
            at.pop();
            continue;
        }
        at.push(&name);
        let Ok(target) = std::fs::read_link(&at) else { continue };
        if !at.starts_with(root) {
            return true;
        }
        at.pop();
        if target.is_absolute() {
            at = PathBuf::from("/");
        }
        for name in names(&target).collect::<Vec<_>>().into_iter().rev() {
            todo.push_front(name);
        }
    }
    false
}

fn names(path: &Path) -> impl Iterator<Item = OsString> {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_opened_is_what_the_kernel_opens(steps in proptest::collection::vec(step(), 0..12), input in relative()) {
        let base = tempfile::tempdir().unwrap();
        let base = base.path().canonicalize().unwrap();
        build(&base, &steps);
        let w = base.join(DEEP);
        let mut before = Vec::new();
        outside(&base, &w, &mut before);
        for resolver in [Resolver::Kernel, Resolver::Walk] {
            let kernel = std::fs::canonicalize(w.join(&input)).ok();
            let meta = kernel.as_ref().and_then(|real| std::fs::metadata(real).ok());
            let roots = Roots::open(&[Root::parse(w.to_str().unwrap())]).unwrap().resolving(resolver);
            let verdict = roots.check(&input, &Access::Stat, &w, OutsideRoots::Strict);
            let inside = kernel.as_ref().is_some_and(|real| real.starts_with(&w));
            match (&verdict.answer, verdict.code) {
                (Answer::Allow, None) => {
                    prop_assert!(inside, "{input:?} allowed, and leads to {kernel:?}");
                    prop_assert_eq!(Some(&verdict.real), kernel.as_ref());
                }
                (Answer::Allow, Some(_)) => prop_assert!(kernel.is_none(), "{input:?} not found, and is {kernel:?}"),
                (_, Some(Code::Escape)) => {
                    // Escapes are reported whether or not the target exists. A path that leaves the root and returns
                    // by its own components is resolved as by the kernel.
                    let unseen = follows_a_link_outside(&w, &w.join(&input));
                    prop_assert!(!inside || unseen, "{input:?} refused, and leads to {kernel:?}");
                }
                (_, code) => {
                    prop_assert!(!inside || code == Some(Code::Empty), "{input:?}: {code:?}, kernel {kernel:?}");
                }
            }
            if let Ok(scoped) = roots.open_scoped(&input, &w, &Access::Read) {
                let opened = std::fs::File::from(scoped.fd).metadata().unwrap();
                let meta = meta.as_ref().unwrap();
                prop_assert_eq!((opened.dev(), opened.ino()), (meta.dev(), meta.ino()));
            }
            let mut after = Vec::new();
            outside(&base, &w, &mut after);
            prop_assert_eq!(&before, &after);
        }
    }

    #[test]
    fn nothing_panics_on_any_text(text in any::<String>(), pattern in ".{0,24}", op in "[a-z_]{0,12}(:.{0,8})?") {
        let _ = (key::key(&text), is_secret(&text), could_be_secret(&text), protection(&text));
        let _ = (glob::matches_component(&pattern, &text), glob::overlaps(&pattern, &text), Operation::parse(&op));
        let _ = doorward_paths::text::read(&text);
        let root = Root::parse("/usr");
        let _ = scope_row(&text, &op, std::slice::from_ref(&root), "/usr");
        let _ = scope_row(&text, "read", &[root], &pattern);
    }
}
