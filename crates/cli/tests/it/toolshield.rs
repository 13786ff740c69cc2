//! The analyzer `toolshield` through the built binary: its own model, exactly as much history as was said, what it does
//! without a model, and experiences that count as soon as they are written.

use std::time::Duration;

use crate::support::{Bench, DOORWARD};
use crate::turned::server::Server;
use serde_json::{Value, json};

const CHOSEN: &str = "[analyzers]\nlist = [\"toolshield\"]\n";

fn with_model(server: &Server, more: &str) -> String {
    format!(
        "[guardian]\ndelegate = [\"mode\"]\n{CHOSEN}[toolshield]\nmodel = \"openai/m\"\n\
         base_url = \"http://{}/v1\"\n{more}",
        server.address
    )
}

fn decide(bench: &Bench, command: &str) -> Value {
    let body = json!({"principal": {"id": "u"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": command}}},
        "context": {"cwd": bench.project(), "roots": [bench.project()], "session_id": "s"}});
    bench.ask("POST", "/v1/decide", &body)
}

/// What the newest request said.
fn newest(server: &Server) -> String {
    server.seen().rsplit("\n---\n").next().unwrap_or_default().to_owned()
}

#[test]
fn exactly_the_newest_actions_are_shown_and_none_for_0() {
    for (window, first, second) in [(0, false, false), (1, false, true), (2, true, true)] {
        let server = Server::start();
        let mut bench = Bench::new(&with_model(&server, &format!("history_window = {window}\n")));
        bench.serve();
        for command in ["touch first", "touch second", "touch third"] {
            assert_eq!(decide(&bench, command)["decision"], "ALLOW");
        }
        let seen = newest(&server);
        assert!(seen.contains("touch third"), "{seen}");
        let shown = (seen.contains("touch first"), seen.contains("touch second"));
        assert_eq!(shown, (first, second), "history_window = {window}: {seen}");
    }
}

#[test]
fn without_a_model_the_effects_judge_and_it_is_said_when_the_settings_load() {
    let mut bench = Bench::new(CHOSEN);
    let state = bench.state().display().to_string();
    for (command, decision) in [("ls", "ALLOW"), ("rm -rf .", "REQUIRE_USER_CONFIRMATION")] {
        let (_, text) = bench.doorward(&["check", "--json", "--state", &state, "--command", command]);
        assert!(text.contains(&format!("\"decision\":\"{decision}\"")), "{command}: {text}");
    }
    let (code, text) = bench.doorward(&["config", "check", "--state", &state]);
    assert!(
        code == 0 && text.contains("toolshield.model") && text.contains("effects alone"),
        "{code} {text}"
    );
    bench.serve();
    assert_eq!(decide(&bench, "ls")["decision"], "ALLOW");
    assert!(bench.log().contains("toolshield.model"), "{}", bench.log());
    assert_eq!(bench.ask("GET", "/healthz", &Value::Null)["ok"], true, "chosen so, nothing is wrong");
}

#[test]
fn a_model_that_fails_leaves_the_risk_open() {
    let config =
        format!("{CHOSEN}[toolshield]\nmodel = \"openai/m\"\nbase_url = \"http://127.0.0.1:9/v1\"\n");
    let bench = Bench::new(&config);
    let state = bench.state().display().to_string();
    let (_, text) = bench.doorward(&["check", "--json", "--state", &state, "--command", "touch x"]);
    assert!(text.contains(r#""risk":"UNKNOWN""#) && !text.contains(r#""decision":"ALLOW""#), "{text}");
}

#[test]
fn an_edited_experience_is_in_force_within_a_second() {
    let server = Server::start();
    let mut bench = Bench::new(&with_model(&server, ""));
    bench.serve();
    let state = bench.state().display().to_string();
    decide(&bench, "touch first");
    let rule = "Never touch the harvest ledger of 1987.";
    assert!(!newest(&server).contains(rule));
    let words = ["experiences", "edit", "terminal", "--add", rule, "--state", &state];
    let (code, text) = bench.doorward(&words);
    assert_eq!(code, 0, "{text}");
    std::thread::sleep(Duration::from_secs(1));
    decide(&bench, "touch second");
    assert!(newest(&server).contains(rule), "{}", newest(&server));

    // By whatever program it is edited: here one word of the file.
    let file = bench.state().join("experiences/terminal-mcp.json");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("1987", "1988")).unwrap();
    std::thread::sleep(Duration::from_secs(1));
    decide(&bench, "touch third");
    assert!(newest(&server).contains("harvest ledger of 1988"), "{}", newest(&server));
}

#[test]
fn experiences_are_those_of_the_state_directory_that_is_named() {
    let bench = Bench::new("");
    let state = bench.state().display().to_string();
    let words = ["experiences", "edit", "terminal", "--add", "Never touch the attic.", "--state", &state];
    let (code, text) = bench.doorward(&words);
    assert_eq!(code, 0, "{text}");
    assert!(bench.state().join("experiences/terminal-mcp.json").exists());
    let (_, shown) = bench.doorward(&["experiences", "show", "terminal", "--state", &state]);
    assert!(shown.contains("Never touch the attic."), "{shown}");
    let other = bench.file("other").display().to_string();
    let (_, shown) = bench.doorward(&["experiences", "show", "terminal", "--state", &other]);
    assert!(!shown.contains("attic"), "{shown}");
    for command in [vec!["eval", "asr", "--help"], vec!["experiences", "explore", "--help"]] {
        let (_, help) = bench.doorward(&command);
        assert!(help.contains("--state"), "{command:?}: {help}");
    }
}

/// What the gateway says when it starts before a server that ends at once.
fn met(bench: &Bench, settings: &str, name: &str, server: &[&str]) -> String {
    let file = bench.state().join("doorward.toml");
    std::fs::create_dir_all(bench.state()).unwrap();
    std::fs::write(&file, settings).unwrap();
    let mut gateway = std::process::Command::new(DOORWARD);
    gateway.args(["mcp", "--name", name, "--state"]).arg(bench.state()).arg("--").args(server);
    gateway.current_dir(bench.project()).env("HOME", bench.home()).stdin(std::process::Stdio::null());
    String::from_utf8_lossy(&gateway.output().unwrap().stderr).into_owned()
}

#[test]
fn the_first_meeting_with_a_server_offers_to_explore_it() {
    let bench = Bench::new("");
    let server = ["/bin/sh", "-c", "cat >/dev/null; echo 'no protocol here' >&2"];
    let told = met(&bench, CHOSEN, "notes", &server);
    assert!(told.contains("doorward experiences explore --mcp"), "{told}");
    assert!(!met(&bench, "", "notes", &server).contains("explore"), "nobody asked for experiences");
    let off = format!("{CHOSEN}[toolshield]\nexplore = \"off\"\n");
    assert!(!met(&bench, &off, "notes", &server).contains("explore"));
    assert!(!met(&bench, CHOSEN, "filesystem", &server).contains("explore"), "its tools are known");

    // It begins by itself, once, and what becomes of it is in a file.
    let auto = "[toolshield]\nexplore = \"auto\"\n";
    let told = met(&bench, auto, "notes", &server);
    assert!(told.contains("are tried out in the sandbox"), "{told}");
    let log = bench.state().join("lab/notes-mcp.log");
    let over = std::time::Instant::now() + Duration::from_secs(60);
    while std::fs::read_to_string(&log).unwrap().is_empty() && std::time::Instant::now() < over {
        std::thread::sleep(Duration::from_millis(100));
    }
    let said = std::fs::read_to_string(&log).unwrap();
    assert!(!said.is_empty(), "exploring says what became of it");
    assert!(met(&bench, auto, "notes", &server).contains("no rules came of it"));
}
