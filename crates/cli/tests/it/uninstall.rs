//! `doorward install` and `doorward uninstall` of every client, by the built program: its settings are then byte for
//! byte what they were, or absent.

use std::path::Path;
use std::process::{Command, Stdio};

const DOORWARD: &str = env!("CARGO_BIN_EXE_doorward");
const CLIENTS: &[&str] = &["claude-code", "codex", "gemini-cli", "cursor", "copilot", "windsurf"];
const OWN: &str = "{\"theme\" : \"dark\",\n\t\"limit\": 1.50e3 }";

fn run(word: &str, client: &str, file: &Path) -> String {
    let mut command = Command::new(DOORWARD);
    command.args([word, client, "--file"]).arg(file).stdin(Stdio::null());
    if word == "install" {
        command.args(["--in-place", "--no-questions"]);
    }
    // No Codex is asked: its trust is another test's.
    let output = command.env("PATH", "/usr/bin:/bin").output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn every_client_gets_its_settings_back() {
    let dir = tempfile::tempdir().unwrap();
    for client in CLIENTS {
        for own in [None, Some(OWN), Some("{}"), Some("")] {
            let folder = dir.path().join(client);
            let file = folder.join("settings.json");
            if let Some(own) = own {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(&file, own).unwrap();
            }
            for _ in 0..2 {
                let told = run("install", client, &file);
                assert!(told.contains("installed"), "{client}: {told}");
            }
            assert!(std::fs::read_to_string(&file).unwrap().contains("hook"), "{client}");
            let told = run("uninstall", client, &file);
            assert!(told.contains("taken out of"), "{client}: {told}");
            match own {
                Some(own) => {
                    assert_eq!(std::fs::read_to_string(&file).unwrap(), own, "{client}");
                    assert_eq!(
                        std::fs::read_dir(&folder).unwrap().count(),
                        1,
                        "{client}: nothing is beside it"
                    );
                    std::fs::remove_dir_all(&folder).unwrap();
                }
                None => assert!(!folder.exists(), "{client}: {told}"),
            }
        }
    }
}
