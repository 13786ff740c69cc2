//! The temp folder is no free ground: only what a session makes there itself is its scratch.

use crate::support::Bench;
use serde_json::{Value, json};

fn in_accept_edits(bench: &Bench, tool: &str, args: &Value) -> Value {
    let (state, project) = (bench.state().display().to_string(), bench.project().display().to_string());
    let words = ["check", "--json", "--mode", "acceptEdits", "--state", &state, "--cwd", &project];
    let (_, text) = bench.doorward(&[&words[..], &["--tool", tool, "--args", &args.to_string()]].concat());
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_project_in_the_temp_folder_does_not_reach_its_siblings() {
    let bench = Bench::new("");
    let sibling = bench.file("another-project");
    assert!(sibling.starts_with(std::env::temp_dir()), "{} is not in the temp folder", sibling.display());
    std::fs::create_dir_all(&sibling).unwrap();
    std::fs::write(sibling.join("notes.txt"), "theirs\n").unwrap();
    for (command, code) in [
        // The only copy of somebody else's notes.
        (format!("echo x > {}/notes.txt", sibling.display()), "shell.delete"),
        (format!("echo x > {}/new.txt", sibling.display()), "path.outside"),
        (format!("mkdir {}/new", sibling.display()), "path.outside"),
    ] {
        let answer = in_accept_edits(&bench, "shell:execute", &json!({"command": command}));
        assert_eq!(answer["decision"], "REQUIRE_USER_CONFIRMATION", "{command}: {answer}");
        assert!(answer.to_string().contains(code), "{command}: {answer}");
    }
    // A name that nobody has taken is free ground.
    let new = std::env::temp_dir().join(format!("doorward-scratch-{}", std::process::id()));
    let answer = in_accept_edits(&bench, "fs:write", &json!({"path": new, "content": "x"}));
    assert_eq!(answer["decision"], "ALLOW", "{answer}");
}
