//! `doorward setup`, `install --all` and `uninstall --all` by the built program, as an ordinary user with a home of
//! its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::DOORWARD;

/// The home folder of a user who isn't in the user database of this machine.
struct Home {
    dir: tempfile::TempDir,
}

impl Home {
    /// `None` where this test may not make one.
    fn new() -> Option<Self> {
        if !rustix::process::getuid().is_root() {
            doorward_needs::lacking!("only root gives a test a user database of its own");
            return None;
        }
        let dir = tempfile::tempdir().unwrap();
        let home = Self { dir };
        for folder in ["home/.claude", "home/.gemini", "bin"] {
            std::fs::create_dir_all(home.dir.path().join(folder)).unwrap();
        }
        let passwd = std::fs::read_to_string("/etc/passwd").unwrap();
        let own = format!("{passwd}ada:x:4243:4243::{}:/bin/sh\n", home.path().display());
        std::fs::write(home.dir.path().join("passwd"), own).unwrap();
        std::fs::write(home.dir.path().join("bin/claude"), "#!/bin/sh\necho '2.1.330 (Claude Code)'\n")
            .unwrap();
        let owned = home.dir.path();
        let give = format!("chmod 755 {0} {0}/bin/claude && chown -R 4243:4243 {0}/home", owned.display());
        assert!(Command::new("sh").args(["-c", &give]).status().unwrap().success());
        Some(home)
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("home")
    }

    /// Runs a line of shell as this user; code and everything that was printed. Ends with every process of its own.
    fn run(&self, line: &str) -> (Option<i32>, String) {
        let inside = format!(
            "mount --bind {passwd} /etc/passwd && cd {home} && exec setpriv --reuid 4243 --regid 4243 --clear-groups \
             env -i HOME={home} PATH={bin}:/usr/bin:/bin:{own} sh -c \"$1\"",
            passwd = self.dir.path().join("passwd").display(),
            home = self.path().display(),
            bin = self.dir.path().join("bin").display(),
            own = Path::new(DOORWARD).parent().unwrap().display(),
        );
        let mut run = Command::new("unshare");
        run.args([
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--mount-proc",
            "sh",
            "-c",
            &inside,
            "sh",
            line,
        ]);
        let output = run.output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), told + &String::from_utf8_lossy(&output.stderr))
    }

    fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.path().join(name)).ok()
    }
}

const SERVERS: &str =
    "{\n  // mine\n  \"mcpServers\": {\"files\": {\"command\": \"server\", \"args\": [\"/srv\"]}}\n}\n";

#[test]
fn every_agent_that_is_here_is_guarded_after_one_yes_and_as_it_was_after_uninstall() {
    let Some(home) = Home::new() else { return };
    std::fs::write(home.path().join(".claude.json"), SERVERS).unwrap();
    std::fs::write(home.path().join(".gemini/settings.json"), "{\"theme\" : 1 }").unwrap();
    let owned = format!("chown -R 4243:4243 {}", home.path().display());
    assert!(Command::new("sh").args(["-c", &owned]).status().unwrap().success());

    let (code, told) = home.run("doorward setup");
    assert!(code == Some(2) && told.contains("setup.not_asked"), "without a terminal and a yes: {told}");
    assert!(
        told.contains("claude-code") && told.contains("2.1.330") && told.contains("gemini-cli"),
        "{told}"
    );
    assert!(!told.contains("windsurf"), "{told}");
    assert_eq!(home.read(".claude/settings.json"), None, "nothing was changed");

    let (code, told) =
        home.run("doorward setup --yes --in-place --relieve; code=$?; doorward stop; exit $code");
    assert!(told.contains("protected: yes"), "{told}");
    assert_eq!(code, Some(0), "{told}");
    assert!(home.read(".claude/settings.json").unwrap().contains("doorward-thin"));
    assert!(home.read(".gemini/settings.json").unwrap().contains("doorward-thin"));
    assert!(home.read(".claude.json").unwrap().contains("\"mcp\""), "{:?}", home.read(".claude.json"));
    assert!(home.read(".config/doorward/doorward.toml").unwrap().contains("relieve = \"proven\""));

    let (code, told) = home.run("doorward uninstall --all");
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(home.read(".claude/settings.json"), None, "{told}");
    assert_eq!(home.read(".gemini/settings.json").as_deref(), Some("{\"theme\" : 1 }"));
    assert_eq!(home.read(".claude.json").as_deref(), Some(SERVERS));
}

#[test]
fn setup_for_programs_prints_lines_of_json_and_install_all_needs_no_question() {
    let Some(home) = Home::new() else { return };
    let (code, told) = home
        .run("doorward setup --yes --json --in-place 2>/dev/null; code=$?; doorward stop >&2; exit $code");
    let lines: Vec<serde_json::Value> =
        told.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert_eq!(code, Some(0), "{told}");
    assert_eq!(lines[0]["agents"][0]["agent"], "claude-code", "{told}");
    assert_eq!(lines[0]["agents"][0]["measured"], true, "{told}");
    assert_eq!(lines[1]["changes"][0]["changed"], true, "{told}");
    assert!(lines.iter().any(|line| line["client"] == "claude-code" && line["reached"] == true), "{told}");

    let (code, told) = home.run("doorward install --all --in-place; code=$?; doorward stop; exit $code");
    assert!(code == Some(0) && told.contains("as it was") && told.contains("protected: yes"), "{told}");

    let alone = format!("rm -r .claude .gemini; PATH=/usr/bin:/bin {DOORWARD} setup --yes");
    let (code, told) = home.run(&alone);
    assert!(code == Some(2) && told.contains("setup.no_agent"), "{told}");
}
