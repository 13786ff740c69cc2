//! Benchmarks judging and opening a path of five components: without links (one system call), and with an absolute
//! link inside the roots (the walk and its proof). Run by `cargo xtask bench paths`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use std::path::Path;
use std::time::Instant;

use doorward_core::call::{OutsideRoots, Root};
use doorward_paths::{Access, Resolver, Roots, is_secret, protection};

const ROUNDS: usize = 20_000;

fn measure(name: &str, mut work: impl FnMut()) {
    for _ in 0..ROUNDS / 10 {
        work();
    }
    let mut times: Vec<u128> = (0..ROUNDS)
        .map(|_| {
            let begin = Instant::now();
            work();
            begin.elapsed().as_nanos()
        })
        .collect();
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize] as f64 / 1000.0;
    println!("{name:38} p50 {:7.2} µs   p99 {:7.2} µs", at(0.5), at(0.99));
}

fn main() {
    let base = tempfile::tempdir().unwrap();
    let w = base.path().canonicalize().unwrap();
    std::fs::create_dir_all(w.join("a/b/c/d")).unwrap();
    std::fs::write(w.join("a/b/c/d/file"), "x").unwrap();
    std::os::unix::fs::symlink(w.join("a/b"), w.join("a/link")).unwrap();
    let roots = Roots::open(&[Root::parse(w.to_str().unwrap())]).unwrap();
    let walk = Roots::open(&[Root::parse(w.to_str().unwrap())]).unwrap().resolving(Resolver::Walk);
    let check = |roots: &Roots, input: &str, cwd: &Path| {
        let verdict = roots.check(input, &Access::Read, cwd, OutsideRoots::Strict);
        assert!(verdict.code.is_none());
    };
    measure("check, five components", || check(&roots, "a/b/c/d/file", &w));
    measure("check, through an absolute link", || check(&roots, "a/link/c/d/file", &w));
    measure("check, five components, no openat2", || check(&walk, "a/b/c/d/file", &w));
    measure("open for reading, five components", || {
        drop(roots.open_scoped("a/b/c/d/file", &w, &Access::Read).unwrap());
    });
    measure("resolve only, five components", || drop(roots.real_path(&w.join("a/b/c/d/file")).unwrap()));
    measure("names only", || {
        assert!(!is_secret("src/components/button/index.tsx"));
        assert!(protection("src/components/button/index.tsx").is_none());
    });
}
