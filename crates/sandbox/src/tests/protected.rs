//! Protected names, links planted inside, and reviewed writes.

use std::os::unix::fs::symlink;
use std::process::Command;

use doorward_core::Tier;

use super::{Workspace, err, out, run};
use crate::{ChangeKind, Engine, MergeRefusal, Report, Root, SandboxError, Spec, Status};

fn git(work: &Workspace, arguments: &[&str]) {
    let done = Command::new("git")
        .current_dir(work.path())
        .args(arguments)
        .env("HOME", "/nonexistent")
        .output()
        .unwrap();
    assert!(done.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Attempts to plant something that the host would run later.
const PLANTS: &[&str] = &[
    "echo x > .git/hooks/post-commit",
    "echo x > .git/hooks/pre-commit.sample",
    "echo '[core]' > .git/config",
    "rm -rf .git/hooks && mkdir .git/hooks && echo x > .git/hooks/x",
    "mv .git/hooks .git/h && mkdir .git/hooks && echo x > .git/hooks/x",
    // Rename the parent, edit, rename back.
    "mv .git g && mkdir g/hooks2 && mv g/hooks2 g/hooks && mv g .git",
    "mv .git g && mkdir -p .git/hooks && echo x > .git/hooks/x",
    "ln -s /tmp/evil .git/hooks/x",
    "ln src .git/hooks/x",
    "mkdir .claude && echo '{}' > .claude/settings.json",
    "echo '{}' > .claude/settings.json",
    "echo x > .mcp.json",
    "rmdir .claude; mkdir .claude; echo x > .claude/x",
    "mv sub .cursor",
    "mkdir -p .husky && echo x > .husky/pre-commit",
    "echo x > nested/.git/hooks/x",
    "mkdir nested/.vscode && echo x > nested/.vscode/tasks.json",
    "chmod 777 .git/hooks",
    "touch -d 2001-01-01 .git/config",
];

fn protected_state(work: &Workspace) -> String {
    let look = "find . -path ./.git/objects -prune -o \\( -path '*hooks*' -o -path '*/.git/config' -o -name \
        '.claude*' -o -name '.mcp*' -o -name '.cursor*' -o -name '.husky*' -o -name '.vscode*' \\) -printf '%p %y \
        %m %T@ %s\\n' | sort";
    let done = Command::new("sh").current_dir(work.path()).args(["-c", look]).output().unwrap();
    String::from_utf8(done.stdout).unwrap()
}

fn repository() -> Workspace {
    let work = Workspace::new();
    std::fs::write(work.path().join("src"), "one\n").unwrap();
    std::fs::create_dir(work.path().join("sub")).unwrap();
    std::fs::create_dir(work.path().join("nested")).unwrap();
    git(&work, &["init", "-q"]);
    git(&work, &["-C", "nested", "init", "-q"]);
    work
}

#[test]
fn nothing_is_planted_where_the_host_would_run_it() {
    for overlay in [false, true] {
        let work = repository();
        let before = protected_state(&work);
        for plant in PLANTS {
            let mut spec = work.shell(plant);
            spec.overlay = overlay;
            let report = run(spec);
            assert_ne!(report.status, Status::Exited { code: 0 }, "{plant} (overlay {overlay})");
            assert_eq!(protected_state(&work), before, "{plant} (overlay {overlay})");
        }
    }
}

#[test]
fn a_place_without_a_repository_gets_none() {
    let work = Workspace::new();
    let report = run(work.shell("git init -q . ; mkdir -p .git/hooks; echo x > .git/hooks/x; ls -A .git"));
    assert_eq!(out(&report), "", "{}", err(&report));
    assert_eq!(std::fs::read_dir(work.path()).unwrap().count(), 0, "and nothing of ours is left");
}

#[test]
fn a_commit_still_works() {
    let work = repository();
    let command = "git config --get core.bare && git add src && \
        git -c user.name=a -c user.email=a@b commit -qm first && git log --oneline && git status --short";
    let report = run(work.shell(command));
    assert_eq!(report.status, Status::Exited { code: 0 }, "{} {}", out(&report), err(&report));
    let told = out(&report);
    assert!(told.contains("first") && !told.contains(".claude"), "{told}");
    git(&work, &["log", "-1"]);
}

#[test]
fn protected_links_are_kept_or_refused() {
    let work = repository();
    std::fs::write(work.path().join("real-mcp"), "{}").unwrap();
    symlink("real-mcp", work.path().join(".mcp.json")).unwrap();
    for plant in [
        "echo x > real-mcp",
        "rm .mcp.json && echo x > .mcp.json",
        "mv sub/../src .mcp.json",
        "echo x > .mcp.json",
    ] {
        let report = run(work.shell(plant));
        assert_ne!(report.status, Status::Exited { code: 0 }, "{plant}");
        assert_eq!(std::fs::read_to_string(work.path().join(".mcp.json")).unwrap(), "{}", "{plant}");
        assert!(std::fs::symlink_metadata(work.path().join(".mcp.json")).unwrap().is_symlink());
    }
    assert_eq!(out(&run(work.shell("cat .mcp.json"))), "{}", "reading goes on");
    symlink("/etc", work.path().join(".idea")).unwrap();
    let error = Engine::new().run(work.shell("touch ran")).unwrap_err();
    assert_eq!(error.code(), "sandbox.protected");
    assert!(!work.path().join("ran").exists());
}

#[test]
fn too_many_protected_places_are_refused() {
    let work = Workspace::new();
    for index in 0..60 {
        std::fs::create_dir_all(work.path().join(format!("r{index}/.git/hooks"))).unwrap();
    }
    let error = Engine::new().run(work.shell("touch ran")).unwrap_err();
    assert!(matches!(error, SandboxError::TooManyProtected { .. }), "{error}");
}

#[test]
fn links_planted_inside_lead_nowhere_outside() {
    // CVE-2026-39861 and CVE-2025-53109: a link made inside, written through.
    let (work, elsewhere) = (Workspace::new(), Workspace::new());
    let target = elsewhere.path().join("target");
    std::fs::write(&target, "safe").unwrap();
    let plant = format!(
        "ln -s {} link; echo bad > link; cat link; ln {} hard; echo bad > hard",
        target.display(),
        target.display()
    );
    for restricted in [false, true] {
        let report = run(if restricted { work.restricted(&plant) } else { work.shell(&plant) });
        assert!(!out(&report).contains("safe"), "{}", out(&report));
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "safe");
        let _ = std::fs::remove_file(work.path().join("link"));
        let _ = std::fs::remove_file(work.path().join("hard"));
    }
}

#[test]
fn a_root_that_shares_a_prefix_is_another_place() {
    // CVE-2025-53110 and CVE-2025-54794: text prefixes.
    let work = Workspace::new();
    for name in ["work", "work-evil", "work.bak"] {
        std::fs::create_dir(work.path().join(name)).unwrap();
        std::fs::write(work.path().join(name).join("file"), name).unwrap();
    }
    let spec = Spec::new("/bin/sh", work.path().join("work"))
        .arg("-c")
        .arg("cat ../work-evil/file ../work.bak/file; cat file");
    assert_eq!(out(&run(spec)), "work");
}

fn reviewed(work: &Workspace, command: &str) -> (Report, crate::Overlay) {
    let mut spec = work.shell(command);
    spec.overlay = true;
    let (report, mut overlays) = Engine::new().start(spec, None).unwrap().wait_with_overlays().unwrap();
    (report, overlays.remove(0))
}

#[test]
fn writes_are_collected_shown_and_merged() {
    let work = repository();
    let at = |name: &str| work.path().join(name);
    std::fs::create_dir_all(at("old/deep")).unwrap();
    std::fs::write(at("old/deep/file"), "x").unwrap();
    std::fs::write(at("gone"), "x").unwrap();
    std::fs::write(at("edited"), "a\nb\nc\n").unwrap();
    std::fs::write(at("script"), "#!/bin/sh\n").unwrap();
    let command =
        "sed -i s/b/B/ edited; rm gone; rm -r old; mkdir old; echo y > old/new; mkdir -p made/deep; \
        echo z > made/deep/file;
        chmod 755 script; ln -s edited inside; ln -s /etc/passwd outside; mkfifo pipe; touch -c edited;
        git init -q made/repo; git -C made/repo config core.fsmonitor ./x; git init -q made/clean; \
        cat edited made/deep/file; ls old";
    let (report, overlay) = reviewed(&work, command);
    assert_eq!(report.status, Status::Exited { code: 0 }, "{}", err(&report));
    assert_eq!(out(&report), "a\nB\nc\nz\nnew", "inside, the writes are there");
    assert_eq!(std::fs::read_to_string(at("edited")).unwrap(), "a\nb\nc\n", "outside, not yet");
    assert!(at("gone").exists() && at("old/deep/file").exists() && !at("made").exists());

    let changes = overlay.changes().unwrap();
    let found = |path: &str| {
        changes
            .iter()
            .find(|change| change.path.as_os_str() == path)
            .map(|change| (change.kind, change.refused))
    };
    for (path, kind, refused) in [
        ("edited", ChangeKind::Modified, None),
        ("gone", ChangeKind::Deleted, None),
        ("old/deep", ChangeKind::Deleted, None),
        ("old/deep/file", ChangeKind::Deleted, None),
        ("old/new", ChangeKind::Created, None),
        ("made/deep/file", ChangeKind::Created, None),
        ("script", ChangeKind::Mode, None),
        ("inside", ChangeKind::Created, None),
        ("outside", ChangeKind::Created, Some(MergeRefusal::LinkOut)),
        ("pipe", ChangeKind::Created, Some(MergeRefusal::Special)),
        ("made/repo/.git/config", ChangeKind::Created, Some(MergeRefusal::Protected)),
        ("made/repo/.git/HEAD", ChangeKind::Created, Some(MergeRefusal::Protected)),
        ("made/clean/.git/config", ChangeKind::Created, None),
    ] {
        assert_eq!(found(path), Some((kind, refused)), "{path}: {changes:#?}");
    }
    assert!(!changes.iter().any(|change| change.path.starts_with(".claude")), "placeholders are no change");
    let diff = overlay.diff().unwrap();
    assert!(diff.contains("M edited") && diff.contains("-b\n+B\n"), "{diff}");

    let merged = overlay.merge().unwrap();
    assert!(merged.applied >= 8 && merged.refused.len() >= 3, "{merged:?}");
    assert_eq!(std::fs::read_to_string(at("edited")).unwrap(), "a\nB\nc\n");
    assert!(
        !at("gone").exists()
            && !at("old/deep").exists()
            && at("old/new").exists()
            && at("made/deep/file").exists()
    );
    assert_eq!(std::fs::read_link(at("inside")).unwrap().to_str(), Some("edited"));
    assert!(
        std::fs::symlink_metadata(at("outside")).is_err() && std::fs::symlink_metadata(at("pipe")).is_err()
    );
    assert!(at("made/repo").is_dir() && !at("made/repo/.git").exists(), "it would have run a program");
    git(&work, &["-C", "made/clean", "status"]);
    {
        use std::os::unix::fs::MetadataExt;
        let owner = |name: &str| std::fs::metadata(at(name)).unwrap().uid();
        assert_eq!(owner("made/deep/file"), owner("."), "merged files belong to the owner of the root");
    }
}

#[test]
fn a_merge_arms_no_repository() {
    for (plant, path) in [
        ("echo ../evil > .git/commondir", ".git/commondir"),
        ("mkdir -p .git/modules/m; echo x > .git/modules/m/config", ".git/modules/m/config"),
        ("echo x > .git/info/attributes", ".git/info/attributes"),
        (
            "mkdir -p .git/worktrees/w; echo ../../../evil > .git/worktrees/w/commondir",
            ".git/worktrees/w/commondir",
        ),
        ("mkdir s; echo 'gitdir: ../evil' > s/.git", "s/.git"),
        ("mkdir s; echo \"gitdir: $PWD/.git/worktrees/../x\" > s/.git", "s/.git"),
        ("git init -q --bare b; printf '[core]\nhooksPath = /x\n' >> b/config", "b/HEAD"),
        (
            "git init -q d; echo x > d/.git/hooks/pre-commit; chmod +x d/.git/hooks/pre-commit",
            "d/.git/hooks/pre-commit",
        ),
    ] {
        let work = repository();
        let (report, overlay) = reviewed(&work, plant);
        assert_eq!(report.status, Status::Exited { code: 0 }, "{plant}: {}", err(&report));
        overlay.merge().unwrap();
        assert!(std::fs::symlink_metadata(work.path().join(path)).is_err(), "{plant}");
    }
    let work = repository();
    let commit =
        "git add src; git -c user.name=a -c user.email=a@b commit -qm one; git worktree add -q tree -b t";
    let (report, overlay) = reviewed(&work, commit);
    assert_eq!(report.status, Status::Exited { code: 0 }, "{}", err(&report));
    let merged = overlay.merge().unwrap();
    git(&work, &["-C", "tree", "status"]);
    git(&work, &["log", "-1"]);
    assert_eq!(merged.refused, [], "ordinary work is merged");
}

#[test]
fn a_merge_leaves_what_others_changed_meanwhile() {
    let work = Workspace::new();
    std::fs::write(work.path().join("shared"), "ours\n").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    let (_, overlay) = reviewed(&work, "echo theirs > shared");
    std::fs::write(work.path().join("shared"), "changed meanwhile\n").unwrap();
    let merged = overlay.merge().unwrap();
    assert_eq!(merged.refused[0].refused, Some(MergeRefusal::Conflict));
    assert_eq!(std::fs::read_to_string(work.path().join("shared")).unwrap(), "changed meanwhile\n");
}

#[test]
fn a_dropped_review_changes_nothing() {
    let work = Workspace::new();
    std::fs::write(work.path().join("kept"), "x").unwrap();
    let (_, overlay) = reviewed(&work, "rm kept; touch new");
    drop(overlay);
    assert_eq!(std::fs::read_dir(work.path()).unwrap().count(), 1);
}

#[test]
fn what_happens_is_observed_in_the_words_of_effects() {
    let work = Workspace::new();
    std::fs::write(work.path().join("old"), "x").unwrap();
    let mut spec = work.shell(
        "rm old; echo y > new; perl -MIO::Socket::INET -e 'IO::Socket::INET->new(PeerAddr => \
        \"192.0.2.9\", PeerPort => 443, Timeout => 1)'; exec /usr/bin/env true",
    );
    (spec.overlay, spec.observe) = (true, true);
    let (report, _) = Engine::new().start(spec, None).unwrap().wait_with_overlays().unwrap();
    assert_eq!(report.status, Status::Exited { code: 0 }, "{}", err(&report));
    let effects = report.observed.unwrap();
    let ran: Vec<&str> = effects.executes.iter().map(|command| command.program.as_str()).collect();
    assert!(["sh", "rm", "perl", "env", "true"].iter().all(|program| ran.contains(program)), "{ran:?}");
    assert!(
        effects.network
            && effects.hosts.iter().any(|host| host.host == "192.0.2.9" && host.port == Some(443))
    );
    assert!(effects.writes.iter().any(|write| write.path.ends_with("/new")), "{:?}", effects.writes);
    assert!(effects.deletes.iter().any(|delete| delete.path.ends_with("/old")), "{:?}", effects.deletes);
}

#[test]
fn the_restricted_tier_says_what_it_cannot_protect() {
    let work = repository();
    let report = run(work.restricted("exit 0"));
    assert_eq!(report.tier, Tier::Restricted);
    assert!(report.gaps.iter().any(|gap| gap == "protected_names"), "{:?}", report.gaps);
    let _ = Root::read("/");
}

/// Runs `command` and calls `outside` once the command prints that it is ready.
fn meanwhile(work: &Workspace, command: &str, outside: impl FnOnce()) -> Report {
    let running = Engine::new().start(work.shell(&format!("touch ready; {command}")), None).unwrap();
    let waiting = std::thread::spawn(|| running.wait().unwrap());
    while !work.path().join("ready").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    outside();
    waiting.join().unwrap()
}

#[test]
fn what_is_replaced_outside_is_held_again() {
    let replace = |work: &Workspace, name: &str| {
        std::fs::write(work.path().join("fresh"), "outside").unwrap();
        std::fs::rename(work.path().join("fresh"), work.path().join(name)).unwrap();
    };
    // A settings file is saved by renaming, as editors do.
    let work = repository();
    std::fs::write(work.path().join(".mcp.json"), "{}").unwrap();
    let try_later = "sleep 1; cat .mcp.json; echo evil > .mcp.json; rm -f .mcp.json; mv src .mcp.json";
    let report = meanwhile(&work, try_later, || replace(&work, ".mcp.json"));
    assert_eq!(out(&report), "outside", "what others write is seen: {:?} {}", report.status, err(&report));
    assert_eq!(std::fs::read_to_string(work.path().join(".mcp.json")).unwrap(), "outside");
    assert!(report.leftovers.iter().any(|left| left.path.ends_with(".mcp.json")), "{:?}", report.leftovers);
    // Removed: a placeholder takes its place, and is removed with the run.
    let work = repository();
    std::fs::write(work.path().join(".mcp.json"), "{}").unwrap();
    let try_later =
        "sleep 1; echo evil > .mcp.json; mkdir -p .mcp.json/x .claude/x; rmdir .claude; ls -A .mcp.json";
    let report = meanwhile(&work, try_later, || {
        std::fs::remove_file(work.path().join(".mcp.json")).unwrap();
        std::fs::remove_dir(work.path().join(".claude")).unwrap();
    });
    assert_eq!(out(&report), "", "{}", err(&report));
    for name in [".mcp.json", ".claude"] {
        assert!(std::fs::symlink_metadata(work.path().join(name)).is_err(), "{name}");
    }
    // A repository is recreated.
    let work = repository();
    let try_later = "sleep 1; echo x > .git/hooks/post-commit; git config core.fsmonitor x; git add src && git \
        status --short src";
    let report = meanwhile(&work, try_later, || {
        std::fs::remove_dir_all(work.path().join(".git")).unwrap();
        git(&work, &["init", "-q"]);
        if crate::sys::ids().0 == 0 {
            let owner = std::fs::metadata(work.path()).unwrap();
            use std::os::unix::fs::MetadataExt;
            assert_eq!(owner.uid(), 0);
        }
    });
    assert!(!work.path().join(".git/hooks/post-commit").exists());
    assert!(
        !std::fs::read_to_string(work.path().join(".git/config")).unwrap().contains("fsmonitor"),
        "{}",
        err(&report)
    );
    // If protection can't be restored, the run ends.
    let work = repository();
    std::fs::write(work.path().join(".mcp.json"), "{}").unwrap();
    let report = meanwhile(&work, "sleep 20", || {
        std::fs::remove_file(work.path().join(".mcp.json")).unwrap();
        symlink("src", work.path().join(".mcp.json")).unwrap();
    });
    assert_eq!(report.status, Status::Killed { by: crate::Cause::ProtectionLost });
}
