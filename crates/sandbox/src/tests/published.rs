//! Published vulnerabilities of other sandboxes, one test each. These are tested elsewhere:
//!
//! | id | test |
//! |---|---|
//! | CVE-2026-25725 | `protected::nothing_is_planted_where_the_host_would_run_it` |
//! | CVE-2026-39861, CVE-2025-53109 | `protected::links_planted_inside_lead_nowhere_outside` |
//! | CVE-2025-53110, CVE-2025-54794 | `protected::a_root_that_shares_a_prefix_is_another_place` |
//! | CVE-2025-59532 | `runs::the_working_directory_never_becomes_a_root` |
//! | CVE-2019-10063 | `seccomp::calls_are_answered_as_the_table_says` |

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use super::{Workspace, err, out, run};
use crate::{Engine, Overlay, Status};

/// CVE-2026-46406: a fixed path in a shared temp folder, prepared by another user.
#[test]
fn nothing_lies_under_a_name_that_others_can_prepare() {
    let work = Workspace::new();
    let store = tempfile::tempdir().unwrap();
    let engine = Engine::new().with_store(store.path());
    let mut names = Vec::new();
    for _ in 0..3 {
        let mut spec = work.restricted("echo $TMPDIR; stat -c %a $TMPDIR; echo x > $TMPDIR/x");
        spec.final_cwd = false;
        let report = engine.run(spec).unwrap();
        let text = out(&report);
        let (folder, mode) = text.split_once('\n').unwrap_or_else(|| panic!("{text} {}", err(&report)));
        assert_eq!(mode, "700");
        assert!(!names.contains(&folder.to_owned()), "{folder} twice");
        // Ends in sixteen hexadecimal digits and isn't reused.
        assert!(folder.rsplit('-').next().is_some_and(|name| name.len() == 16), "{folder}");
        names.push(folder.to_owned());
    }
    assert_eq!(std::fs::read_dir(store.path()).unwrap().count(), 0, "and it is gone");
    // The temp folder of the full tier is private: a folder prepared on the host isn't in it.
    let prepared = tempfile::Builder::new().prefix("prepared-").tempdir_in("/tmp").unwrap();
    symlink("/etc/passwd", prepared.path().join("link")).unwrap();
    let command = format!("ls -A /tmp; ls {}", prepared.path().display());
    let elsewhere = Workspace(tempfile::tempdir_in("/var/tmp").unwrap());
    let mut spec = elsewhere.shell(&command);
    // A home below /tmp would be the only entry there.
    spec.env.insert("HOME".to_owned(), "/home/user".to_owned());
    assert_eq!(out(&run(spec)), "");
}

/// CVE-2026-48124 and similar: settings of the workspace that a program outside executes later.
#[test]
fn settings_that_the_host_executes_later_stay_as_they_are() {
    const PLANTS: &[(&str, &str)] = &[
        (".vscode/tasks.json", r#"{"tasks":[{"runOptions":{"runOn":"folderOpen"}}]}"#),
        (".vscode/settings.json", r#"{"terminal.integrated.profiles.linux":{}}"#),
        (".idea/workspace.xml", "<x/>"),
        (".devcontainer/devcontainer.json", r#"{"postCreateCommand":"x"}"#),
        (".claude/settings.local.json", r#"{"hooks":{}}"#),
        (".cursor/mcp.json", "{}"),
        (".codex/config.toml", "x"),
        (".gemini/settings.json", "{}"),
        (".mcp.json", "{}"),
        (".envrc", "x"),
        (".husky/pre-commit", "x"),
        (".git/config", "[core]\n\tfsmonitor = x\n"),
        (".git/hooks/post-checkout", "x"),
        ("doorward.toml", "x"),
        (".doorward/policy.cedar", "permit(principal, action, resource);"),
    ];
    for (plant, text) in PLANTS {
        for overlay in [false, true] {
            let work = Workspace::new();
            let mut spec =
                work.shell(r#"mkdir -p "$(dirname "$0")"; printf %s "$1" > "$0""#).arg(*plant).arg(*text);
            spec.overlay = overlay;
            let (report, overlays) = Engine::new().start(spec, None).unwrap().wait_with_overlays().unwrap();
            assert_ne!(report.status, Status::Exited { code: 0 }, "{plant} (overlay {overlay})");
            let changes: usize = overlays.iter().map(|overlay| overlay.changes().unwrap().len()).sum();
            assert_eq!(changes, 0, "{plant}");
            overlays
                .into_iter()
                .map(Overlay::merge)
                .for_each(|merged| assert_eq!(merged.unwrap().applied, 0));
            assert_eq!(std::fs::read_dir(work.path()).unwrap().count(), 0, "{plant} (overlay {overlay})");
        }
    }
}

/// A set-user-id program gains nothing inside.
#[test]
fn set_user_id_programs_gain_nothing() {
    let work = Workspace::new();
    let program = work.path().join("id");
    std::fs::copy("/usr/bin/id", &program).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o4755)).unwrap();
    let owner = std::fs::metadata(&program).unwrap().uid();
    let report = run(work.shell("./id -u; id -u"));
    let text = out(&report);
    let (with, without) = text.split_once('\n').unwrap_or_else(|| panic!("{text} {}", err(&report)));
    assert_eq!(with, without, "owner {owner}");
    assert_ne!(with, "0");
}
