//! Changes the tree while a path is resolved and opened: nothing outside is read.
//!
//! `DOORWARD_RACE_SECONDS=10` runs each race for that long. By default a race takes a second, or longer if the
//! machine is too busy for enough attempts.
#![cfg(target_os = "linux")]

use std::io::Read as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use doorward_core::call::Root;
use doorward_paths::{Access, Resolver, Roots};
use rustix::fs::{CWD, RenameFlags, renameat_with};

fn seconds() -> Duration {
    let told = std::env::var("DOORWARD_RACE_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs_f64(told.unwrap_or(1.0))
}

/// Minimum number of changes of the tree and of successful legitimate reads for a race to prove anything.
const ENOUGH: u64 = 20;
/// When a race without enough attempts gives up.
const TOO_LONG: Duration = Duration::from_secs(300);

/// How often the tree was changed and used, and how many legitimate reads succeeded.
struct Rounds {
    attacks: u64,
    uses: u64,
    inside: u64,
}

/// Runs `attack` in a thread beside `work`, which returns the number of successful legitimate reads, for the given
/// time and until both happened often enough.
fn race(name: &str, attack: impl Fn() + Sync, mut work: impl FnMut() -> u64) {
    let (stop, attacks) = (AtomicBool::new(false), AtomicU64::new(0));
    let rounds = std::thread::scope(|scope| {
        let attacker = scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                attack();
                attacks.fetch_add(1, Ordering::Relaxed);
            }
        });
        let (begin, mut uses, mut inside) = (Instant::now(), 0_u64, 0_u64);
        let too_little = |inside: u64| inside < ENOUGH || attacks.load(Ordering::Relaxed) < ENOUGH;
        while begin.elapsed() < seconds()
            || (too_little(inside) && begin.elapsed() < TOO_LONG && !attacker.is_finished())
        {
            inside += work();
            uses += 1;
        }
        stop.store(true, Ordering::Relaxed);
        attacker.join().unwrap();
        Rounds { attacks: attacks.load(Ordering::Relaxed), uses, inside }
    });
    eprintln!("{name}: {} changes, {} uses, {} honest reads", rounds.attacks, rounds.uses, rounds.inside);
    assert!(rounds.inside > 0, "{name}: no honest read ever got through, so it proved nothing");
    assert!(rounds.attacks > 0, "{name}: nothing was ever changed, so it proved nothing");
}

fn exchange(left: &Path, right: &Path) {
    renameat_with(CWD, left, CWD, right, RenameFlags::EXCHANGE).unwrap();
}

fn read(roots: &Roots, input: &str, cwd: &Path) -> Option<String> {
    let scoped = roots.open_scoped(input, cwd, &Access::Read).ok()?;
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

#[test]
fn a_folder_swapped_for_a_link_out() {
    let (base, kernel, walk) = ground();
    let w = base.path().join("w");
    symlink(base.path().join("outside"), w.join("evil")).unwrap();
    race(
        "a folder swapped for a link",
        || exchange(&w.join("d"), &w.join("evil")),
        || {
            let mut inside = 0;
            for roots in [&kernel, &walk] {
                match read(roots, "d/secret", &w).as_deref() {
                    Some("inside") => inside += 1,
                    Some(other) => panic!("read {other:?} from outside"),
                    None => {}
                }
            }
            inside
        },
    );
}

#[test]
fn a_file_swapped_for_a_link_out() {
    let (base, kernel, walk) = ground();
    let w = base.path().join("w");
    std::fs::write(w.join("f"), "inside").unwrap();
    symlink(base.path().join("outside/secret"), w.join("g")).unwrap();
    race(
        "a file swapped for a link",
        || exchange(&w.join("f"), &w.join("g")),
        || {
            let mut inside = 0;
            for roots in [&kernel, &walk] {
                match read(roots, "f", &w).as_deref() {
                    Some("inside") => inside += 1,
                    Some(other) => panic!("read {other:?} from outside"),
                    None => {}
                }
            }
            inside
        },
    );
}

#[test]
fn a_folder_moved_out_in_mid_walk() {
    let (base, kernel, walk) = ground();
    let w = base.path().join("w");
    std::fs::create_dir_all(w.join("a/b/c")).unwrap();
    std::fs::write(w.join("a/x"), "inside").unwrap();
    // With `a/b` moved out, `a/b/c/../../x` leads outside if `..` is resolved on the way.
    std::fs::write(base.path().join("x"), "outside").unwrap();
    let (from, to) = (w.join("a/b"), base.path().join("moved"));
    race(
        "a folder moved out and back",
        || {
            let _ = std::fs::rename(&from, &to);
            let _ = std::fs::rename(&to, &from);
        },
        || {
            let mut inside = 0;
            for roots in [&kernel, &walk] {
                for input in ["a/b/c/../../x", "a/b/../x", "a/b/c/../../../x"] {
                    if let Some(text) = read(roots, input, &w) {
                        assert_eq!(text, "inside", "{input}");
                        inside += 1;
                    }
                }
            }
            inside
        },
    );
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
    race(
        "a file swapped for a pipe",
        || exchange(&w.join("f"), &w.join("p")),
        || {
            let mut inside = 0;
            for roots in [&kernel, &walk] {
                if let Some(text) = read(roots, "f", &w) {
                    assert_eq!(text, "inside");
                    inside += 1;
                }
            }
            inside
        },
    );
}

/// Mounting requires a mount namespace, which only a single-threaded process can create. So `unshare` creates it and
/// runs the race below inside.
#[test]
fn a_folder_mounted_over() {
    let root = rustix::process::geteuid().is_root();
    let mut unshare = vec!["--mount", "--propagation", "private"];
    if !root {
        unshare.extend(["--user", "--map-root-user"]);
    }
    let lacking = match Command::new("unshare").args(&unshare).arg("true").output() {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Err(error) => Some(error.to_string()),
    };
    if let Some(lacking) = lacking {
        return doorward_needs::lacking!("no mount namespace to be had ({lacking})");
    }
    let inner =
        ["--exact", "races::within_a_mount_namespace", "--ignored", "--nocapture", "--test-threads", "1"];
    let output = Command::new("unshare")
        .args(unshare)
        .arg(std::env::current_exe().unwrap())
        .args(inner)
        .output()
        .unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    eprintln!("{said}");
    assert!(output.status.success() && said.contains("a folder mounted over:"), "{said}");
}

#[test]
#[ignore = "a_folder_mounted_over runs it in a namespace of its own"]
fn within_a_mount_namespace() {
    use rustix::mount::{MountFlags, UnmountFlags, mount, mount_bind, unmount};
    let (base, kernel, walk) = ground();
    let (w, outside) = (base.path().join("w"), base.path().join("outside"));
    // On another device, which the walk without `openat2` notices; a mount of the same device is visible to the
    // kernel only.
    let other = base.path().join("other");
    std::fs::create_dir(&other).unwrap();
    mount("none", &other, "tmpfs", MountFlags::empty(), None).unwrap();
    std::fs::write(other.join("secret"), "outside").unwrap();
    for (over, resolvers) in [(&outside, vec![&kernel]), (&other, vec![&kernel, &walk])] {
        race(
            "a folder mounted over",
            || {
                mount_bind(over, w.join("d")).unwrap();
                unmount(w.join("d"), UnmountFlags::DETACH).unwrap();
            },
            || {
                let mut inside = 0;
                for roots in &resolvers {
                    match read(roots, "d/secret", &w).as_deref() {
                        Some("inside") => inside += 1,
                        Some(text) => panic!("read {text:?} from outside"),
                        None => {}
                    }
                }
                inside
            },
        );
    }
    unmount(&other, UnmountFlags::DETACH).unwrap();
}
