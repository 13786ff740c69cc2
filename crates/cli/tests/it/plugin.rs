//! `doorward plugin build`: what it writes, and that a real Claude Code with only the plugin runs no denied call.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::agents::{finish, quiet};
use crate::support::model::{Model, Wire};
use crate::support::{Bench, DOORWARD, lacking, npm_program};

fn json_of(file: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn each_plugin_has_its_hook_and_the_skill_and_the_hook_refuses() {
    let mut bench = Bench::new("");
    let folder = bench.file("plugins");
    let words = ["plugin", "build", folder.to_str().unwrap(), "--state", bench.state().to_str().unwrap()]
        .map(str::to_owned);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (code, told) = bench.doorward(&words);
    assert_eq!(code, 0, "{told}");
    assert!(told.contains("codex plugin marketplace add ./codex"), "{told}");
    let (code, told) = bench.doorward(&words);
    assert!(code == 2 && told.contains("plugin.folder"), "a folder with files is left alone: {told}");

    bench.serve();
    let own = Path::new(DOORWARD).parent().unwrap().display();
    for (client, plugin, manifest) in [
        ("claude-code", "plugin", "plugin/.claude-plugin/plugin.json"),
        ("codex", "plugin", "plugin/.codex-plugin/plugin.json"),
        ("gemini-cli", ".", "gemini-extension.json"),
    ] {
        let at = folder.join(client);
        assert_eq!(json_of(&at.join(manifest))["name"], "doorward");
        let skill = std::fs::read_to_string(at.join(plugin).join("skills/doorward/SKILL.md")).unwrap();
        assert!(
            skill.starts_with("---\nname: doorward\n") && skill.contains("Never reach the same end"),
            "{skill}"
        );
        let hooks = json_of(&at.join(plugin).join("hooks/hooks.json"));
        let event = if client == "gemini-cli" { "BeforeTool" } else { "PreToolUse" };
        let line = hooks["hooks"][event][0]["hooks"][0]["command"].as_str().unwrap();
        assert!(!line.contains(&own.to_string()), "it names no path of this machine's: {line}");
        let call = json!({"session_id": "s", "hook_event_name": event, "cwd": bench.project(), "timestamp": "x",
            "transcript_path": "", "permission_mode": "default", "tool_use_id": "t",
            "tool_name": if client == "gemini-cli" { "run_shell_command" } else { "Bash" },
            "tool_input": {"command": "rm -rf ~"}});
        for (path, why) in [
            (format!("{own}:/usr/bin:/bin"), "delete_everything"),
            ("/usr/bin:/bin".to_owned(), "hook.missing"),
        ] {
            let mut hook = Command::new("sh");
            hook.args(["-c", &format!("printf '%s' \"$EVENT\" | {{ {line}; }}")]);
            let output = hook.env("PATH", path).env("EVENT", call.to_string()).output().unwrap();
            let told = String::from_utf8_lossy(&output.stdout).into_owned()
                + &String::from_utf8_lossy(&output.stderr);
            assert!(told.contains(why), "{client}: {told}");
        }
    }
}

#[test]
fn a_real_claude_code_with_the_plugin_alone_runs_no_denied_call() {
    let Some(claude) = npm_program("claude") else {
        return lacking(
            "a_real_claude_code_with_the_plugin_alone_runs_no_denied_call",
            "npm package @anthropic-ai/claude-code",
        );
    };
    let mut bench = Bench::new("[rules]\ndeny = [\"shell(touch *)\"]\n");
    let folder = bench.file("plugins");
    let (code, told) = bench.doorward(&[
        "plugin",
        "build",
        folder.to_str().unwrap(),
        "--state",
        bench.state().to_str().unwrap(),
    ]);
    assert_eq!(code, 0, "{told}");
    bench.serve();
    let own = Path::new(DOORWARD).parent().unwrap().display();
    let path = format!("{own}:{}", std::env::var("PATH").unwrap());
    let plugin = folder.join("claude-code/plugin");
    for (command, runs) in [("touch PWNED", false), ("echo x > made.txt", true)] {
        let model = Model::start(Wire::Anthropic, "Bash", json!({"command": command, "description": "x"}));
        let mut turn = quiet(&claude, &bench, &model);
        turn.args(["-p", "please run it", "--permission-mode", "bypassPermissions", "--plugin-dir"]);
        let output = finish(
            {
                turn.arg(&plugin).env("PATH", &path);
                turn
            },
            command,
        );
        let results = model.results().join("\n");
        assert!(!results.is_empty(), "{}{}", String::from_utf8_lossy(&output.stderr), bench.log());
        assert_eq!(results.contains("Doorward"), !runs, "{command}: {results}");
    }
    assert!(!bench.project().join("PWNED").exists());
    assert!(bench.project().join("made.txt").exists());

    // What the client itself wrote down about this is what `look-back` reads.
    let (code, told) = bench.doorward(&["look-back", "--json", "--home", bench.home().to_str().unwrap()]);
    let found: Value = serde_json::from_str(&told).unwrap();
    assert!(code == 0 && found["agents"]["claude-code"] == 2 && found["left_out"] == 0, "{told}");
}
