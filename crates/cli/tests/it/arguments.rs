//! Arguments, modes and places of the wrong shape: refused with the place on the ways in that speak Doorward's own names,
//! and no reason to deny a coding agent whose tool got a new argument.

use crate::support::Bench;
use serde_json::{Value, json};

fn request(bench: &Bench, tool: &str, args: &Value) -> Value {
    json!({"principal": {"id": "u"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": tool, "attributes": {"args": args}},
        "context": {"session_id": "s", "cwd": bench.project(), "mode": "bypassPermissions"}})
}

/// Tool, arguments, and what the refusal names; nothing where the arguments are in order.
fn rows() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("shell:execute", json!({"command": "ls"}), ""),
        ("shell:execute", json!({"command": ["ls", "-l"]}), ""),
        ("shell:execute", json!({}), "`command` is missing"),
        ("shell:execute", json!({"command": 5}), "/command has to be"),
        ("shell:execute", json!({"command": "ls", "timeout": "long"}), "/timeout has to be a number"),
        ("shell:execute", json!({"command": "ls", "cwd": "/"}), "/cwd is no argument"),
        ("python:execute", json!({}), "`code` or `command` is missing"),
        ("node:execute", json!({"code": ["x"]}), "/code has to be a text"),
        ("fs:read", json!({"path": {"name": "x"}}), "/path has to be a path"),
        ("fs:read", json!({"path": "notes.txt", "also": "/etc/shadow"}), "/also is no argument"),
        ("fs:write", json!({"content": "x"}), "is missing"),
        ("fs:write", json!({"path": "a", "content": {"text": "x"}}), "/content has to be a text"),
        ("fs:mkdir", json!({"path": 7}), "/path has to be a path"),
        ("fs:move", json!({"source": "a"}), "is missing"),
        ("fs:copy", json!({"source": "a", "destination": ["b"]}), "/destination has to be a text"),
        ("fs:delete", json!({"path": "a", "recursive": "true"}), "/recursive has to be true or false"),
        ("net:fetch", json!({}), "is missing"),
        ("net:fetch", json!({"url": "https://example.com", "headers": "x"}), "/headers has to be an object"),
        ("net:search", json!({}), "is missing"),
        ("plan:think", json!({"thought": 1}), "/thought has to be a text"),
        ("plan:todo", json!({"todos": "x"}), "/todos has to be a list"),
        ("plan:todo", json!({"todos": []}), ""),
    ]
}

#[test]
fn arguments_of_the_wrong_shape_are_refused_with_the_place() {
    let mut bench = Bench::new("");
    std::fs::write(bench.project().join("notes.txt"), "x").unwrap();
    bench.serve();
    let state = bench.state().display().to_string();
    let project = bench.project().display().to_string();
    for (tool, args, place) in rows() {
        let answer = bench.ask("POST", "/v1/decide", &request(&bench, tool, &args));
        let words =
            ["check", "--json", "--mode", "bypassPermissions", "--tool", tool, "--args", &args.to_string()];
        let (_, checked) = bench.doorward(&[&words[..], &["--state", &state, "--cwd", &project]].concat());
        for (way, text) in [("HTTP", answer.to_string()), ("check", checked)] {
            let refused = text.contains("args.schema") && text.contains("\"DENY\"");
            assert_eq!(refused, !place.is_empty(), "{way}: {tool} {args}: {text}");
            assert!(text.contains(place), "{way}: {tool} {args}: {text}");
        }
        let asked = json!({"subject": {"type": "user", "id": "u"}, "action": {"name": "tool:execute"},
            "resource": {"type": "tool", "id": tool, "properties": {"args": args}}});
        let text = bench.ask("POST", "/access/v1/evaluation", &asked).to_string();
        assert_eq!(text.contains("args.schema"), !place.is_empty(), "AuthZEN: {tool} {args}: {text}");
    }
}

#[test]
fn a_new_argument_of_a_clients_own_tool_denies_nothing_and_is_noted() {
    let mut bench = Bench::new("");
    std::fs::write(bench.project().join("notes.txt"), "x").unwrap();
    bench.serve();
    let hooked = |input: Value| {
        let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(),
            "permission_mode": "default", "tool_name": "Read", "tool_input": input, "tool_use_id": "t"});
        bench.hook("claude-code", &event.to_string(), &[])
    };
    let (code, out, err) = hooked(json!({"file_path": bench.project().join("notes.txt"), "sparkle": 1}));
    assert_eq!((code, out.trim(), err.trim()), (0, "", ""), "no opinion, as without it");
    let record = bench.ledger().into_iter().rfind(|entry| entry["kind"] == "decision").unwrap();
    assert!(record.to_string().contains("args.unchecked"), "{record}");
    // The arguments that are judged have their types there too.
    let (code, out, err) = hooked(json!({"file_path": 7}));
    assert!(code == 2 || out.contains("\"deny\""), "{code} {out} {err}");
    assert!((out + &err).contains("args.schema"));
    // A caller over HTTP that says whose tool it is speaks that client's words.
    let mut other = request(&bench, "Read", &json!({"file_path": "notes.txt", "sparkle": 1}));
    other["context"]["client"] = json!("claude-code");
    let answer = bench.ask("POST", "/v1/decide", &other);
    assert_eq!(answer["decision"], "ALLOW", "{answer}");
    // Another name of Doorward's own for a tool brings the arguments of the harness it is from.
    let answer = bench.ask(
        "POST",
        "/v1/decide",
        &request(&bench, "read_file", &json!({"path": "notes.txt", "sparkle": 1})),
    );
    assert_eq!(answer["decision"], "ALLOW", "{answer}");
}

#[test]
fn a_mode_or_a_place_that_nobody_knows_is_no_default() {
    let mut bench = Bench::new("");
    bench.serve();
    for (name, value, says) in [
        ("mode", json!("yolo"), "default, plan, acceptEdits, dontAsk, bypassPermissions"),
        ("mode", json!(5), "default, plan, acceptEdits, dontAsk, bypassPermissions"),
        ("cwd", json!("here"), "absolute"),
        ("roots", json!("/srv"), "list of paths"),
        ("roots", json!([5]), "list of paths"),
    ] {
        let mut wrong = request(&bench, "shell:execute", &json!({"command": "ls"}));
        wrong["context"][name] = value.clone();
        let answer = bench.ask("POST", "/v1/decide", &wrong);
        assert_eq!(answer["code"], "request.invalid", "{name} {value}: {answer}");
        assert!(answer["message"].as_str().unwrap_or_default().contains(says), "{name} {value}: {answer}");
    }
    for mode in ["default", "plan", "acceptEdits", "dontAsk", "bypassPermissions"] {
        let mut right = request(&bench, "shell:execute", &json!({"command": "ls"}));
        right["context"]["mode"] = json!(mode);
        assert_eq!(bench.ask("POST", "/v1/decide", &right)["decision"], "ALLOW", "{mode}");
    }
}

#[test]
fn a_great_loss_brings_the_phrase_to_type_and_a_small_one_does_not() {
    let mut bench = Bench::new("");
    bench.serve();
    std::fs::create_dir_all(bench.file("plain/inner")).unwrap();
    std::fs::write(bench.file("plain/inner/letter.txt"), "the only copy\n").unwrap();
    let mut asked = request(&bench, "shell:execute", &json!({"command": "rm -rf ../plain"}));
    asked["context"]["cwd"] = json!(bench.file("plain"));
    asked["context"]["roots"] = json!([bench.file("plain")]);
    for mode in ["default", "acceptEdits", "bypassPermissions"] {
        asked["context"]["mode"] = json!(mode);
        let answer = bench.ask("POST", "/v1/decide", &asked);
        assert_eq!(answer["decision"], "REQUIRE_USER_CONFIRMATION", "{mode}: {answer}");
        let event = &answer["confirmation"];
        assert_eq!(event["security_warning"]["level"], "CRITICAL", "{mode}: {answer}");
        assert_eq!((&event["phrase"], &event["level"]), (&json!("I confirm"), &json!(2)), "{mode}: {answer}");
        // A few files are a click, however grave the warning is.
        let mut few = asked.clone();
        few["resource"]["attributes"]["args"]["command"] = json!("rm inner/letter.txt");
        let answer = bench.ask("POST", "/v1/decide", &few);
        let event = &answer["confirmation"];
        assert_eq!(event["security_warning"]["level"], "CRITICAL", "{mode}: {answer}");
        assert_eq!((&event["phrase"], &event["level"]), (&json!(null), &json!(1)), "{mode}: {answer}");
    }
    asked["resource"]["attributes"]["args"]["command"] = json!("touch x");
    asked["context"]["mode"] = json!("default");
    let answer = bench.ask("POST", "/v1/decide", &asked);
    assert_eq!(answer["confirmation"]["phrase"], Value::Null, "a plain yes is enough: {answer}");
}
