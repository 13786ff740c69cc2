//! Someone changes the tree while a path is resolved and used: nothing outside is read, made or removed.
//!
//! `DOORWARD_RACE_SECONDS=10` runs each race for that long; the suite takes one second each.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]
#![cfg(target_os = "linux")]

use std::io::{Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use doorward_core::call::Root;
use doorward_paths::{Access, Request, Resolver, Roots};
use rustix::fs::{CWD, RenameFlags, renameat_with};

fn seconds() -> Duration {
    let told = std::env::var("DOORWARD_RACE_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs_f64(told.unwrap_or(1.0))
}

/// Runs `attack` in a thread until `work` has run for its time; gives the number of rounds of each.
fn race(attack: impl Fn() + Sync, mut work: impl FnMut()) -> (u64, u64) {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let attacker = scope.spawn(|| {
            let mut rounds = 0_u64;
            while !stop.load(Ordering::Relaxed) {
                attack();
                rounds += 1;
            }
            rounds
        });
        let (begin, mut rounds) = (Instant::now(), 0_u64);
        while begin.elapsed() < seconds() {
            work();
            rounds += 1;
        }
        stop.store(true, Ordering::Relaxed);
        (attacker.join().unwrap(), rounds)
    })
}

fn exchange(left: &Path, right: &Path) {
    renameat_with(CWD, left, CWD, right, RenameFlags::EXCHANGE).unwrap();
}

fn read(roots: &Roots, input: &str, cwd: &Path) -> Option<String> {
    let scoped = roots.open_scoped(&Request::new(input, cwd), &Access::Read).ok()?;
    let mut text = String::new();
    std::fs::File::from(scoped.fd).read_to_string(&mut text).ok()?;
    Some(text)
}

fn ground() -> (tempfile::TempDir, Roots, Roots) {
    let base = tempfile::tempdir().unwrap();
    let w = base.path().join("w");
    std::fs::create_dir_all(w.join("d")).unwrap();
    std::fs::create_dir_all(base.path().join("outside")).unwrap();
    std::fs::write(base.path().join("outside/secret"), "outside").unwrap();
    std::fs::write(w.join("d/secret"), "inside").unwrap();
    let roots = || Roots::open(&[Root::parse(w.to_str().unwrap())]).unwrap();
    let (kernel, walk) = (roots(), roots().resolving(Resolver::Walk));
    (base, kernel, walk)
}

fn assert_untouched(base: &Path) {
    let names: Vec<_> =
        std::fs::read_dir(base.join("outside")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["secret"], "something appeared or vanished outside");
    assert_eq!(std::fs::read_to_string(base.join("outside/secret")).unwrap(), "outside");
}

#[test]
fn a_folder_swapped_for_a_link_out() {
    let (base, kernel, walk) = ground();
    let w = base.path().join("w");
    symlink(base.path().join("outside"), w.join("evil")).unwrap();
    let (mut inside, mut count) = (0_u64, 0_u64);
    let rounds = race(
        || exchange(&w.join("d"), &w.join("evil")),
        || {
            for roots in [&kernel, &walk] {
                count += 1;
                match read(roots, "d/secret", &w).as_deref() {
                    Some("inside") => inside += 1,
                    Some(other) => panic!("read {other:?} from outside"),
                    None => {}
                }
                let name = format!("d/new-{count}");
                if let Ok(scoped) = roots.open_scoped(&Request::new(&name, &w), &Access::Write) {
                    std::fs::File::from(scoped.fd).write_all(b"x").unwrap();
                }
                let _ = roots.delete(&Request::new(&name, &w));
                let _ = roots.make_directory(&Request::new("d/made/deep", &w));
                let _ = roots.delete_tree(&Request::new("d/made", &w));
            }
        },
    );
    eprintln!("swap of a folder: {} swaps, {} rounds, {inside} reads inside", rounds.0, rounds.1);
    assert!(inside > 0, "the race never let an honest read through, so it proved nothing");
    assert_untouched(base.path());
}

#[test]
fn a_file_swapped_for_a_link_out() {
    let (base, kernel, walk) = ground();
    let w = base.path().join("w");
    std::fs::write(w.join("f"), "inside").unwrap();
    symlink(base.path().join("outside/secret"), w.join("g")).unwrap();
    let mut inside = 0_u64;
    let rounds = race(
        || exchange(&w.join("f"), &w.join("g")),
        || {
            for roots in [&kernel, &walk] {
                match read(roots, "f", &w).as_deref() {
                    Some("inside") => inside += 1,
                    Some(other) => panic!("read {other:?} from outside"),
                    None => {}
                }
                if let Ok(scoped) = roots.open_scoped(&Request::new("f", &w), &Access::Append) {
                    let mut file = std::fs::File::from(scoped.fd);
                    file.write_all(b"").unwrap();
                }
                let _ = roots.change_mode(&Request::new("f", &w), 0o600);
            }
        },
    );
    eprintln!("swap of a file: {} swaps, {} rounds, {inside} reads inside", rounds.0, rounds.1);
    assert!(inside > 0);
    assert_untouched(base.path());
}

#[test]
fn a_folder_moved_out_in_mid_walk() {
    let (base, kernel, walk) = ground();
    let w = base.path().join("w");
    std::fs::create_dir_all(w.join("a/b/c")).unwrap();
    std::fs::write(w.join("a/x"), "inside").unwrap();
    // `a/b/c/../../x` with `a/b` moved out leads to what lies outside, for who trusts `..` on the way.
    std::fs::write(base.path().join("x"), "outside").unwrap();
    let (from, to) = (w.join("a/b"), base.path().join("moved"));
    let rounds = race(
        || {
            let _ = std::fs::rename(&from, &to);
            let _ = std::fs::rename(&to, &from);
        },
        || {
            for roots in [&kernel, &walk] {
                for input in ["a/b/c/../../x", "a/b/../x", "a/b/c/../../../x"] {
                    if let Some(text) = read(roots, input, &w) {
                        assert_eq!(text, "inside", "{input}");
                    }
                }
            }
        },
    );
    eprintln!("move out: {} moves, {} rounds", rounds.0 * 2, rounds.1);
    assert_untouched(base.path());
}

#[test]
fn a_pipe_swapped_in_does_not_hang() {
    let (base, kernel, walk) = ground();
    let w = base.path().join("w");
    std::fs::write(w.join("f"), "inside").unwrap();
    rustix::fs::mknodat(
        CWD,
        w.join("p"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o600),
        0,
    )
    .unwrap();
    let rounds = race(
        || exchange(&w.join("f"), &w.join("p")),
        || {
            for roots in [&kernel, &walk] {
                if let Some(text) = read(roots, "f", &w) {
                    assert_eq!(text, "inside");
                }
            }
        },
    );
    eprintln!("pipe: {} swaps, {} rounds", rounds.0, rounds.1);
}
