//! Checks every path vector on real files: `scope_row` gives the expected answer, with the kernel's resolver and with
//! the walk.
#![cfg(target_os = "linux")]

use std::os::unix::fs::symlink;
use std::path::Path;

use doorward_core::call::{OutsideRoots, Root};
use doorward_paths::access::Operation;
use doorward_paths::{Access, Answer, Code, Resolver, Roots, scope_row};
use serde_json::Value;

const VECTORS: &str = include_str!("../../testdata/vectors.jsonl");

fn fill(text: &str, base: &Path) -> String {
    text.replace("{B}", base.to_str().unwrap())
}

/// Performs the set-up steps; `false` if this machine doesn't support them.
fn set_up(steps: &Value, base: &Path) -> bool {
    for step in steps.as_array().unwrap() {
        let words: Vec<String> =
            step.as_array().unwrap().iter().map(|word| fill(word.as_str().unwrap(), base)).collect();
        let path = |index: usize| Path::new(&words[index]);
        let parents = |path: &Path| std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        match words[0].as_str() {
            "mkdir" => std::fs::create_dir_all(path(1)).unwrap(),
            "write" => {
                parents(path(1));
                std::fs::write(path(1), "x").unwrap();
            }
            "symlink" => {
                parents(path(2));
                symlink(&words[1], path(2)).unwrap();
            }
            "hardlink" => std::fs::hard_link(path(1), path(2)).unwrap(),
            "fifo" => rustix::fs::mknodat(
                rustix::fs::CWD,
                path(1),
                rustix::fs::FileType::Fifo,
                rustix::fs::Mode::from_raw_mode(0o600),
                0,
            )
            .unwrap(),
            "socket" => drop(std::os::unix::net::UnixListener::bind(path(1)).unwrap()),
            "bind_mount" => {
                std::fs::create_dir_all(path(2)).unwrap();
                let done = std::process::Command::new("mount")
                    .args(["--bind", &words[1], &words[2]])
                    .stderr(std::process::Stdio::null())
                    .status();
                if !done.is_ok_and(|status| status.success()) {
                    return false;
                }
            }
            // These act while the test runs: see `races.rs` and below.
            "race_swap_dir_symlink"
            | "race_swap_file_symlink"
            | "race_rename_out"
            | "replace_root_after_open" => {
                return false;
            }
            other => panic!("unknown setup step {other}"),
        }
    }
    true
}

fn fresh() -> tempfile::TempDir {
    let base = tempfile::tempdir().unwrap();
    let path = base.path();
    std::fs::create_dir_all(path.join("workspace/src")).unwrap();
    std::fs::create_dir_all(path.join("outside")).unwrap();
    std::fs::write(path.join("workspace/src/main.rs"), "x").unwrap();
    std::fs::write(path.join("outside/secret"), "x").unwrap();
    base
}

fn tear_down(steps: &Value, base: &Path) {
    for step in steps.as_array().unwrap() {
        if step[0] == "bind_mount" {
            let target = fill(step[2].as_str().unwrap(), base);
            let _ = std::process::Command::new("umount").arg(target).status();
        }
    }
}

#[test]
fn every_vector_is_answered_as_expected() {
    let (mut judged, mut skipped, mut wrong) = (0, Vec::new(), Vec::new());
    for line in VECTORS.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let id = row["id"].as_str().unwrap();
        let base = fresh();
        if !set_up(&row["setup"], base.path()) {
            skipped.push(id.to_owned());
            continue;
        }
        let roots: Vec<Root> =
            fill(row["root"].as_str().unwrap(), base.path()).split(';').map(Root::parse).collect();
        let input = fill(row["input"].as_str().unwrap(), base.path());
        let op = fill(row["op"].as_str().unwrap(), base.path());
        let cwd = roots[0].path.clone();
        let (answer, code) = scope_row(&input, &op, &roots, &cwd);
        let mut expected = vec![row["expect"].as_str().unwrap()];
        expected.extend(row["also_ok"].as_array().into_iter().flatten().map(|word| word.as_str().unwrap()));
        let as_expected = expected.contains(&answer.as_str())
            && (row["reason"] != "not_found" || code == Some(Code::NotFound));
        if !as_expected {
            wrong.push(format!("{id} {input:?} {op}: {} {code:?}, expected {expected:?}", answer.as_str()));
        }
        // Both resolvers agree, except about mounts of the same device, which only the kernel notices.
        if let (Ok(kernel), Ok(walk)) = (Roots::open(&roots), Roots::open(&roots))
            && let Some(Operation::One(access)) = Operation::parse(&op)
            && row["class"] != "mount"
        {
            let walk = walk.resolving(Resolver::Walk);
            let of = |roots: &Roots| {
                let verdict = roots.check(&input, &access, Path::new(&cwd), OutsideRoots::Strict);
                (verdict.answer, verdict.code)
            };
            if of(&kernel) != of(&walk) {
                wrong.push(format!("{id}: kernel {:?}, walk {:?}", of(&kernel), of(&walk)));
            }
        }
        tear_down(&row["setup"], base.path());
        judged += 1;
    }
    eprintln!("judged {judged} vectors; not set up here (races have their own test): {skipped:?}");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(judged >= 120);
}

#[test]
fn a_root_replaced_after_the_start_answers_nothing() {
    let base = fresh();
    let workspace = base.path().join("workspace");
    std::fs::write(base.path().join("outside/x"), "outside").unwrap();
    let roots = Roots::open(&[Root::parse(workspace.to_str().unwrap())]).unwrap();
    std::fs::rename(&workspace, base.path().join("gone")).unwrap();
    std::fs::rename(base.path().join("outside"), &workspace).unwrap();
    let verdict = roots.check("x", &Access::Read, &workspace, OutsideRoots::Strict);
    assert_eq!((verdict.answer, verdict.code), (Answer::Deny, Some(Code::RootReplaced)));
    assert_eq!(roots.open_scoped("x", &workspace, &Access::Read).unwrap_err().code, Code::RootReplaced);
}

#[test]
fn outside_places_are_asked_about_only_where_they_say_so_openly() {
    let base = fresh();
    let workspace = base.path().join("workspace");
    symlink("/etc", workspace.join("link")).unwrap();
    let roots = Roots::open(&[Root::parse(workspace.to_str().unwrap())]).unwrap();
    for (input, ask) in [
        ("/etc/hostname".to_owned(), true),
        ("/no/such/place".to_owned(), true),
        (format!("{}-evil/x", workspace.display()), true),
        ("../outside/secret".to_owned(), false),
        ("link/hostname".to_owned(), false),
        (format!("{}/../outside/secret", workspace.display()), false),
        ("/usr/../etc/hostname".to_owned(), false),
    ] {
        let verdict = roots.check(&input, &Access::Read, &workspace, OutsideRoots::Ask);
        let expected =
            if ask { (Answer::Ask, Some(Code::Outside)) } else { (Answer::Deny, Some(Code::Escape)) };
        assert_eq!((verdict.answer, verdict.code), expected, "{input}");
        let strict = roots.check(&input, &Access::Read, &workspace, OutsideRoots::Strict);
        assert_eq!(strict.code, Some(Code::Escape), "{input}");
    }
}
