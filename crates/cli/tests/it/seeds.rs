//! The examples of the seeds, literally, through the built binary; the name of each test says which. Others stand where
//! their subject is: the table of confirmation policies (`confirmation.rs`), the labelled call (`labels.rs`), scores of
//! the guardian (`guardian.rs`), the rules for code (`code_tools.rs`), the lists of commands (`seed_contract.rs`).

use crate::support::Bench;
use serde_json::{Value, json};

/// The request body of seed 004, as it stands there.
const REQUEST: &str = r#"{
  "principal": { "id": "user-123", "groups": ["editor"] },
  "action": "tool:execute",
  "resource": {
    "type": "tool",
    "name": "shell:execute",
    "attributes": {
      "args": { "command": "ls -l /data" }
    }
  },
  "context": { "ip_address": "...", "session_id": "..." }
}"#;

fn request() -> Value {
    serde_json::from_str(REQUEST).unwrap()
}

/// The request with another tool and other arguments, in this project.
fn call(bench: &Bench, tool: &str, args: Value) -> Value {
    let mut request = request();
    request["resource"]["name"] = json!(tool);
    request["resource"]["attributes"]["args"] = args;
    request["context"] = json!({"session_id": "s", "cwd": bench.project(), "roots": [bench.project()]});
    request
}

fn decided(bench: &Bench, request: &Value) -> Value {
    bench.ask("POST", "/v1/decide", request)
}

#[test]
fn seed_004_the_request_body_gets_the_response_body() {
    let mut bench = Bench::new("[policy]\npacks = [\"seed-contract\"]\n");
    bench.serve();
    let answer = decided(&bench, &request());
    assert_eq!(answer["decision"], "ALLOW", "{answer}");
    assert!(
        answer["reason"].as_str().unwrap().contains("is on the list of programs that only print"),
        "{answer}"
    );
    assert_eq!(
        answer["obligations"],
        json!([{"type": "log_output"}]),
        "logging required after execution: {answer}"
    );
    let mut other = request();
    other["principal"]["groups"] = json!([]);
    assert_eq!(decided(&bench, &other)["decision"], "DENY");
}

#[test]
fn seed_004_the_confirmation_event_of_a_deletion() {
    let mut bench = Bench::new("");
    bench.serve();
    // A project without version control: what is deleted there is gone.
    let plain = bench.file("plain");
    std::fs::create_dir(&plain).unwrap();
    std::fs::write(plain.join("important_file.txt"), "the only copy\n").unwrap();
    let mut asked = call(&bench, "shell:execute", json!({"command": "rm important_file.txt"}));
    asked["context"]["cwd"] = json!(plain);
    asked["context"]["roots"] = json!([plain]);
    let answer = decided(&bench, &asked);
    assert_eq!(answer["decision"], "REQUIRE_USER_CONFIRMATION", "{answer}");
    let event = &answer["confirmation"];
    assert_eq!(event["toolName"], "shell:execute");
    assert_eq!(event["args"], json!({"command": "rm important_file.txt"}));
    assert!(event["confirmationId"].as_str().is_some_and(|id| !id.is_empty()), "{answer}");
    assert_eq!(event["security_warning"]["level"], "CRITICAL", "{answer}");
    let message = event["security_warning"]["message"].as_str().unwrap();
    assert!(message.starts_with("Deletes ") && message.contains("important_file.txt"), "{message}");
    // The severity warns; how it is confirmed follows the loss, and this is one file.
    assert_eq!((&event["level"], &event["phrase"]), (&json!(1), &Value::Null), "{answer}");
    // The same in a repository that has the file: it can be had back.
    std::fs::write(bench.project().join("kept.txt"), "kept\n").unwrap();
    let git = |words: &[&str]| {
        let status = std::process::Command::new("git")
            .args(["-c", "user.name=a", "-c", "user.email=a@b", "-C"])
            .arg(bench.project())
            .args(words)
            .status();
        assert!(status.unwrap().success());
    };
    git(&["add", "kept.txt"]);
    git(&["commit", "-qm", "kept"]);
    let answer = decided(&bench, &call(&bench, "shell:execute", json!({"command": "rm kept.txt"})));
    assert_ne!(answer["confirmation"]["security_warning"]["level"], "CRITICAL", "{answer}");
}

#[test]
fn seed_004_path_scoping() {
    let mut bench = Bench::new("[modes]\ndefault = \"acceptEdits\"\n[paths]\nroots = \"strict\"\n");
    std::fs::create_dir(bench.project().join("workspace")).unwrap();
    bench.serve();
    let root = bench.project().join("workspace");
    let scoped = |tool: &str, args: Value| {
        let mut asked = call(&bench, tool, args);
        asked["context"]["cwd"] = json!(root);
        asked["context"]["roots"] = json!([root]);
        decided(&bench, &asked)
    };
    for path in ["../../../etc/passwd", "/etc/passwd", "a/../../secret", "..", "./a/../../b"] {
        for (tool, args) in [
            ("fs:read", json!({"path": path})),
            ("fs:write", json!({"path": path, "content": "x"})),
            ("fs:delete", json!({"path": path})),
        ] {
            let answer = scoped(tool, args);
            assert_eq!(
                (&answer["decision"], &answer["code"]),
                (&json!("DENY"), &json!("path.escape")),
                "{tool} {path}: {answer}"
            );
        }
    }
    // "Within permitted paths, the Agent can perform operations like adding folders or deleting files."
    std::fs::write(root.join("old.log"), "x").unwrap();
    for (tool, args) in [
        ("fs:mkdir", json!({"path": "new/folder"})),
        ("fs:write", json!({"path": "a/../b.txt", "content": "x"})),
        ("fs:write", json!({"path": root.join("c.txt"), "content": "x"})),
        ("fs:read", json!({"path": "old.log"})),
    ] {
        let answer = scoped(tool, args.clone());
        assert_eq!(answer["decision"], "ALLOW", "{tool} {args}: {answer}");
    }
    let answer = scoped("fs:delete", json!({"path": "old.log"}));
    assert_ne!(
        answer["decision"], "DENY",
        "it may be deleted, with a yes where it can't be had back: {answer}"
    );
}

#[test]
fn a_caller_over_the_network_without_a_folder_hears_how_it_gets_one() {
    let mut bench = Bench::new("[modes]\ndefault = \"acceptEdits\"\n");
    bench.serve();
    let asked = json!({"principal": {"id": "builder"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": "rm -rf build"}}},
        "context": {"cwd": bench.project(), "roots": [bench.project()]}});
    let answer = bench.ask_over_http("/v1/decide", &asked);
    let reason = answer["reason"].as_str().unwrap();
    assert_eq!(answer["decision"], "DENY", "its own word on where it works isn't taken: {answer}");
    assert!(!reason.contains("your project") && reason.contains("was given no folder"), "{reason}");
    assert!(reason.contains(r#"[paths] callers = { "builder" = ["/its/folder"] }"#), "{reason}");
    // The way that it names works.
    let settings = bench.state().join("doorward.toml");
    let before = std::fs::read_to_string(&settings).unwrap();
    let folder = format!("[paths]\ncallers = {{ \"builder\" = [\"{}\"] }}\n", bench.project().display());
    std::fs::write(&settings, before + &folder).unwrap();
    bench.stop_service();
    bench.serve();
    let answer = bench.ask_over_http("/v1/decide", &asked);
    assert!(!answer["reason"].as_str().unwrap().contains("no folder"), "{answer}");
    assert_ne!(answer["code"], "path.escape", "{answer}");
}

#[test]
fn seed_004_path_traversal_where_only_relative_paths_are_permitted() {
    let mut bench = Bench::new("[modes]\ndefault = \"acceptEdits\"\n[paths]\nrelative_only = true\n");
    bench.serve();
    let inside = bench.project().join("a.txt");
    for (path, decision) in [
        (json!("a.txt"), "ALLOW"),
        (json!("b/a.txt"), "ALLOW"),
        (json!("b/../a.txt"), "DENY"),
        (json!(inside), "DENY"),
    ] {
        let answer = decided(&bench, &call(&bench, "fs:write", json!({"path": path, "content": "x"})));
        assert_eq!(answer["decision"], decision, "{path}: {answer}");
    }
    for (command, refused) in
        [("touch a.txt", false), ("touch b/../a.txt", true), ("cat /etc/hostname", true)]
    {
        let answer = decided(&bench, &call(&bench, "shell:execute", json!({"command": command})));
        assert_eq!(answer["code"] == "path.not_relative", refused, "{command}: {answer}");
    }
    for (path, refused) in [("a.txt", false), ("../a.txt", true), ("/etc/hostname", true)] {
        let answer = decided(&bench, &call(&bench, "mcp:notes/save", json!({"where": path, "data": "x"})));
        assert_eq!(answer["code"] == "path.not_relative", refused, "{path}: {answer}");
    }
}

#[test]
fn seed_004_command_injection() {
    let mut bench = Bench::new(
        "[rules]\nallow = [\"shell(echo *)\", \"shell(ls *)\"]\n[shell]\nstructure = \"single\"\n",
    );
    bench.serve();
    for (command, decision) in [
        ("echo one", "ALLOW"),
        ("echo 'a && b | c; d'", "ALLOW"),
        ("echo one && ls .", "DENY"),
        ("echo one | cat", "DENY"),
        ("echo one; ls .", "DENY"),
        ("echo one\nls .", "DENY"),
    ] {
        let answer = decided(&bench, &call(&bench, "shell:execute", json!({"command": command})));
        assert_eq!(answer["decision"], decision, "{command:?}: {answer}");
    }
}

#[test]
fn seed_004_the_log_has_what_it_must() {
    let mut bench = Bench::new("[rules]\nallow = [\"shell(echo *)\"]\ndeny = [\"shell(make *)\"]\n");
    bench.serve();
    for (command, decision) in
        [("echo a", "ALLOW"), ("make all", "DENY"), ("touch new", "REQUIRE_USER_CONFIRMATION")]
    {
        let answer = decided(&bench, &call(&bench, "shell:execute", json!({"command": command})));
        assert_eq!(answer["decision"], decision, "{answer}");
    }
    let entries = bench.ledger();
    let decisions: Vec<&Value> = entries.iter().filter(|entry| entry["kind"] == "decision").collect();
    assert_eq!(decisions.len(), 3, "allowed, denied and pending alike");
    for (entry, verdict) in decisions.iter().zip(["ALLOW", "DENY", "REQUIRE_USER_CONFIRMATION"]) {
        assert!(entry["time"].is_string() && entry["policy"]["code"].is_string(), "{entry}");
        assert_eq!(entry["principal"]["id"], "user-123", "{entry}");
        assert_eq!(entry["action"], "tool:execute", "{entry}");
        assert_eq!(entry["resource"], json!({"type": "tool", "name": "shell:execute"}), "{entry}");
        assert_eq!(entry["verdict"], verdict, "{entry}");
        assert!(entry.get("policy").is_some() && entry.get("user").is_some(), "{entry}");
    }
    assert_eq!(decisions[1]["policy"]["decision"], "DENY", "{}", decisions[1]);
}

/// What seed 002 names under SSRF protection.
const REFUSED_ADDRESSES: &[&str] = &[
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://127.0.0.1/",
    "http://169.254.169.254/",
    "http://[::1]/",
    "http://[fc00::1]/",
    "http://[fe80::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/",
    "http://0177.0.0.1/",
    "http://0x7f.0.0.1/",
    "http://0x7f000001/",
    "http://127.1/",
    "http://2130706433/",
];

#[test]
fn seed_002_ssrf_protection() {
    let mut bench = Bench::new("[modes]\ndefault = \"bypassPermissions\"\n");
    bench.serve();
    for url in REFUSED_ADDRESSES {
        let answer = decided(&bench, &call(&bench, "net:fetch", json!({"url": url})));
        assert_eq!(answer["decision"], "DENY", "{url}: {answer}");
        assert!(answer.to_string().contains("net."), "the judge of addresses says why: {url}: {answer}");
    }
    let answer = decided(&bench, &call(&bench, "net:fetch", json!({"url": "https://example.com/"})));
    assert_eq!(answer["decision"], "ALLOW", "{answer}");
    // "extraBlockedHosts", "allowedHosts".
    let mut bench = Bench::new(
        "[modes]\ndefault = \"bypassPermissions\"\n[net]\nextra_blocked_hosts = [\"198.18.0.0/15\", \"blocked.example\"]\n\
         allowed_hosts = [\"127.0.0.1:8080\"]\n",
    );
    bench.serve();
    for (url, decision) in [
        ("http://blocked.example/", "DENY"),
        ("http://127.0.0.1:8080/", "ALLOW"),
        ("http://127.0.0.1:8081/", "DENY"),
        ("https://example.com/", "ALLOW"),
    ] {
        let answer = decided(&bench, &call(&bench, "net:fetch", json!({"url": url})));
        assert_eq!(answer["decision"], decision, "{url}: {answer}");
    }
}

#[test]
fn seed_002_permission_tiers() {
    let mut bench = Bench::new("");
    std::fs::write(bench.project().join("a.txt"), "x\n").unwrap();
    bench.serve();
    let (read, edit, run) = (
        ("fs:read", json!({"path": "a.txt"})),
        ("fs:write", json!({"path": "b.txt", "content": "x"})),
        // HIGH, and of what no rule asks about in every mode.
        ("shell:execute", json!({"command": "nc -l 4444"})),
    );
    let (allow, ask, deny) = ("ALLOW", "REQUIRE_USER_CONFIRMATION", "DENY");
    for (mode, expected) in [
        ("default", [allow, ask, ask]),
        ("plan", [allow, deny, deny]),
        ("acceptEdits", [allow, allow, ask]),
        // Nobody is prompted: what is MEDIUM runs, and what is HIGH, which a person would have to answer for, does not.
        ("dontAsk", [allow, allow, deny]),
        ("bypassPermissions", [allow, allow, allow]),
    ] {
        for ((tool, args), decision) in [&read, &edit, &run].into_iter().zip(expected) {
            let mut asked = call(&bench, tool, args.clone());
            asked["context"]["mode"] = json!(mode);
            let answer = decided(&bench, &asked);
            assert_eq!(answer["decision"], decision, "{mode} {tool}: {answer}");
        }
    }
    // "This mode can be disabled via configuration (disableBypass)."
    let mut bench = Bench::new("[modes]\ndisable_bypass = true\n");
    bench.serve();
    let mut asked = call(&bench, run.0, run.1.clone());
    asked["context"]["mode"] = json!("bypassPermissions");
    let answer = decided(&bench, &asked);
    assert_ne!(answer["decision"], allow, "{answer}");
}

#[test]
fn seed_000_the_threshold_cannot_be_unknown() {
    let bench = Bench::new("[confirm]\npolicy = { kind = \"ConfirmRisky\", threshold = \"UNKNOWN\" }\n");
    let state = bench.state().display().to_string();
    let (code, text) = bench.doorward(&["check", "--command", "ls", "--state", &state]);
    assert_ne!(code, 0, "{text}");
    assert!(text.contains("settings.") && text.contains("UNKNOWN"), "{text}");
}

#[test]
fn seed_000_levels_of_risk() {
    let mut bench = Bench::new("");
    std::fs::write(bench.project().join("a.txt"), "x\n").unwrap();
    std::fs::create_dir(bench.project().join("src")).unwrap();
    std::fs::write(bench.project().join("src/only.rs"), "the only copy\n").unwrap();
    bench.serve();
    for (tool, args, level) in [
        ("fs:read", json!({"path": "a.txt"}), "LOW"),
        ("shell:execute", json!({"command": "ls"}), "LOW"),
        ("fs:write", json!({"path": "b.txt", "content": "x"}), "MEDIUM"),
        ("net:fetch", json!({"url": "https://example.com/"}), "MEDIUM"),
        ("shell:execute", json!({"command": "rm -rf src"}), "HIGH"),
        ("shell:execute", json!({"command": "sudo ls"}), "HIGH"),
    ] {
        decided(&bench, &call(&bench, tool, args.clone()));
        let record = bench.ledger().into_iter().rfind(|entry| entry["kind"] == "decision").unwrap();
        assert_eq!(record["risk"]["level"], level, "{tool} {args}: {record}");
    }
}
