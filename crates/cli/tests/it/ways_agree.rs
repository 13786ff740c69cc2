//! A call gets one answer, whoever asks: the gate (`POST /v1/decide`), `check`, `check --batch` and `POST /v1/simulate`
//! judge by the same settings, rules and stops, and read labels, modes, roots and names alike.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::support::{Bench, DOORWARD};
use serde_json::{Value, json};

/// What one way in answers: decision and code.
type Told = (String, String);

/// One thing that a way in could read for itself.
struct Case {
    what: &'static str,
    settings: &'static str,
    tool: &'static str,
    args: Value,
    /// Beside `cwd`, `roots` and the session.
    context: Value,
    /// What is stopped before the call is judged.
    stopped: Option<&'static str>,
    expect: (&'static str, &'static str),
}

fn case(
    what: &'static str,
    settings: &'static str,
    tool: &'static str,
    args: Value,
    expect: (&'static str, &'static str),
) -> Case {
    Case { what, settings, tool, args, context: json!({}), stopped: None, expect }
}

const LLM: &str = "[analyzers]\nlist = [\"LLMSecurityAnalyzer\"]\n";

fn cases() -> Vec<Case> {
    let command = |text: &str| json!({"command": text});
    let mode = |name: &str| json!({"mode": name});
    vec![
        case(
            "label",
            LLM,
            "shell:execute",
            json!({"command": "ls", "security_risk": "HIGH"}),
            ("REQUIRE_USER_CONFIRMATION", "confirm.policy"),
        ),
        case(
            "no label",
            LLM,
            "shell:execute",
            command("touch new.txt"),
            ("REQUIRE_USER_CONFIRMATION", "confirm.policy"),
        ),
        case(
            "strict roots",
            "[paths]\nroots = \"strict\"\n",
            "fs:write",
            json!({"path": "/opt/x", "content": "x"}),
            ("DENY", "path.escape"),
        ),
        Case {
            context: mode("plan"),
            ..case("plan", "", "fs:write", json!({"path": "x", "content": "x"}), ("DENY", "mode.plan"))
        },
        Case {
            context: mode("auto"),
            ..case(
                "auto",
                "",
                "shell:execute",
                command("touch x"),
                ("REQUIRE_USER_CONFIRMATION", "mode.confirm"),
            )
        },
        Case {
            context: mode("acceptEdits"),
            ..case(
                "acceptEdits",
                "",
                "fs:write",
                json!({"path": "x", "content": "x"}),
                ("ALLOW", "mode.allow"),
            )
        },
        Case {
            context: json!({"client": "claude-code", "mode": "plan"}),
            ..case("alias", "", "Bash", command("touch x"), ("DENY", "mode.plan"))
        },
    ]
}

/// Calls that settings or a stop refuse, and words that a caller can't claim.
fn refused_cases() -> Vec<Case> {
    let command = |text: &str| json!({"command": text});
    let labelled = |text: &str, label: &str| json!({"command": text, "security_risk": label});
    vec![
        case(
            "a rule",
            "[rules]\ndeny = [\"shell(make *)\"]\n",
            "shell:execute",
            command("make all"),
            ("DENY", "rule.deny"),
        ),
        case(
            "broken rules",
            "[policy]\nfiles = [\"/nowhere/rules.cedar\"]\n",
            "shell:execute",
            command("ls"),
            ("DENY", "policy.load"),
        ),
        case(
            "broken hosts",
            "[net]\nallowed_hosts = [\"*.com\"]\n",
            "shell:execute",
            command("ls"),
            ("DENY", "settings.net"),
        ),
        // What a caller says of its label or its client's mode isn't taken from its context.
        Case {
            context: json!({"mode": "default", "client_mode": "auto", "security_risk": "HIGH"}),
            ..case("reserved words", LLM, "shell:execute", labelled("ls", "LOW"), ("ALLOW", "mode.allow"))
        },
        Case {
            stopped: Some("all"),
            ..case("a stop", "", "shell:execute", command("ls"), ("DENY", "kill_switch"))
        },
    ]
}

impl Case {
    fn request(&self, bench: &Bench) -> Value {
        let mut context = json!({"cwd": bench.project(), "roots": [bench.project()], "session_id": "s"});
        context.as_object_mut().unwrap().extend(self.context.as_object().unwrap().clone());
        json!({"principal": {"id": "user-123"}, "action": "tool:execute", "context": context,
            "resource": {"type": "tool", "name": self.tool, "attributes": {"args": self.args}}})
    }
}

fn told(answer: &Value) -> Told {
    let text = |key: &str| answer[key].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    (text("decision"), text("code"))
}

/// `doorward check` with these words and this on standard input.
fn check(bench: &Bench, words: &[&str], input: &Value) -> Value {
    let mut child = Command::new(DOORWARD)
        .args(["check", "--state"])
        .arg(bench.state())
        .args(words)
        .current_dir(bench.project())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(format!("{input}\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn every_way_in_gives_the_answer_of_the_gate() {
    let mut wrong = Vec::new();
    for case in cases().into_iter().chain(refused_cases()) {
        let mut bench = Bench::new(case.settings);
        bench.serve();
        if let Some(scope) = case.stopped {
            let answer = bench.ask("POST", "/v1/stops/new", &json!({"scope": scope}));
            assert!(answer.get("code").is_none(), "{answer}");
        }
        let request = case.request(&bench);
        let mut row = request.clone();
        row["id"] = json!("row");
        let gate = told(&bench.ask("POST", "/v1/decide", &request));
        if gate != (case.expect.0.to_owned(), case.expect.1.to_owned()) {
            wrong.push(format!("{}: the gate says {gate:?}", case.what));
        }
        for (way, answer) in [
            ("check", check(&bench, &["--json"], &request)),
            ("check --batch", check(&bench, &["--batch"], &row)),
            ("simulate", bench.ask("POST", "/v1/simulate", &request)),
        ] {
            if told(&answer) != gate {
                wrong.push(format!("{}: {way} says {:?}, the gate {gate:?}", case.what, told(&answer)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_mode_that_nobody_knows_is_refused_with_the_modes_there_are() {
    let bench = Bench::new("");
    let check = |mode: &str| bench.doorward(&["check", "--no-config", "--mode", mode, "-c", "ls"]);
    let (code, said) = check("auto");
    assert_eq!(code, 0, "{said}");
    let (code, said) = check("automatic");
    assert!(code == 2 && said.contains("plan") && said.contains("auto"), "{code} {said}");
}

#[test]
fn a_misspelled_member_is_refused_with_the_name_that_was_meant() {
    let mut bench = Bench::new("");
    bench.serve();
    let good = case("", "", "shell:execute", json!({"command": "ls"}), ("", "")).request(&bench);
    for (place, wrong, meant) in [
        ("", "contxt", "context"),
        ("/principal", "group", "principal.groups"),
        ("/resource", "atributes", "resource.attributes"),
        ("/resource/attributes", "arg", "resource.attributes.args"),
    ] {
        let mut request = good.clone();
        request.pointer_mut(place).unwrap()[wrong] = json!({});
        let answer = bench.ask("POST", "/v1/decide", &request).to_string();
        assert!(answer.contains("request.invalid") && answer.contains(&format!("`{meant}`")), "{answer}");
    }
}

#[test]
fn the_callers_address_and_whatever_more_it_says_reach_policies_and_the_record() {
    let mut bench = Bench::new("");
    let rules = bench.file("rules.cedar");
    let text = "@id(\"from-the-lab\") forbid(principal, action, resource)
        when { context has ip && context.ip.isInRange(ip(\"203.0.113.0/24\")) };
        @id(\"by-ticket\") forbid(principal, action, resource)
        when { context.request has ticket && context.request.ticket == \"T-1\" };";
    std::fs::write(&rules, text).unwrap();
    let settings = format!("[policy]\nfiles = [\"{}\"]\n", rules.display());
    std::fs::write(bench.state().join("doorward.toml"), settings).unwrap();
    bench.serve();
    for (said, policy) in [
        (json!({"ip_address": "203.0.113.7"}), json!(["from-the-lab"])),
        (json!({"ip_address": "198.51.100.7", "ticket": "T-1"}), json!(["by-ticket"])),
    ] {
        let one = Case {
            context: said.clone(),
            ..case("", "", "shell:execute", json!({"command": "ls"}), ("", ""))
        };
        let answer = bench.ask("POST", "/v1/decide", &one.request(&bench));
        assert_eq!((&answer["decision"], &answer["policies"]), (&json!("DENY"), &policy), "{answer}");
        bench.stop_service();
        let ledger = bench.ledger();
        let index = ledger.iter().rposition(|entry| entry["kind"] == "decision").unwrap().to_string();
        let state = bench.state().display().to_string();
        let (_, kept) = bench.doorward(&["audit", "show", &index, "--kept", "--state", &state]);
        assert!(kept.contains(said["ip_address"].as_str().unwrap()), "{kept}");
        bench.serve();
    }
}

#[test]
fn disguised_parent_folders_and_callers_without_roots_are_denied_in_every_mode() {
    let mut bench = Bench::new("");
    bench.serve();
    for mode in ["default", "plan", "acceptEdits", "dontAsk", "bypassPermissions", "auto"] {
        for path in ["%2e%2e/x", "%252e%252e/x", "．．/x", "..%2fx", "..\\x"] {
            let read = case("", "", "fs:read", json!({"path": path}), ("", ""));
            let read = Case { context: json!({"mode": mode}), ..read };
            let answer = bench.ask("POST", "/v1/decide", &read.request(&bench));
            assert_eq!(
                told(&answer),
                ("DENY".to_owned(), "path.escape".to_owned()),
                "{mode} {path}: {answer}"
            );
        }
    }
    let read = case("", "", "fs:read", json!({"path": "notes.txt"}), ("", "")).request(&bench);
    let answer = bench.ask_over_http("/v1/decide", &read);
    assert_eq!(told(&answer), ("DENY".to_owned(), "path.no_roots".to_owned()), "{answer}");
    assert!(answer["reason"].as_str().unwrap().contains("[paths.callers]"), "{answer}");
}

#[test]
fn what_would_keep_the_gate_shut_is_refused_by_config_check() {
    for (settings, code) in [
        ("[net]\nallowed_hosts = [\"*.com\"]\n", "settings.net"),
        ("[egress]\nallow = [\"not a host\"]\n", "settings.egress"),
        ("[egress.credentials.x]\nenv = \"TOKEN\"\nhosts = [\"api.example.com\"]\n", "settings.egress"),
        ("[store]\nsigners = [\"nobody\"]\n", "store.signers"),
    ] {
        let bench = Bench::new(settings);
        let state = bench.state().display().to_string();
        let (status, said) = bench.doorward(&["config", "check", "--state", &state]);
        assert!(status != 0 && said.contains(code), "{settings}: {status} {said}");
    }
    let bench = Bench::new("[net]\nallowed_hosts = [\"api.example.com\"]\n");
    let state = bench.state().display().to_string();
    let (status, said) = bench.doorward(&["config", "check", "--state", &state]);
    assert!(status == 0 && said.contains("are good"), "{said}");
}

/// A request of the contract in this project, with more attributes of its resource.
fn asked(bench: &Bench, tool: &str, args: &Value, more: &Value) -> Value {
    let mut request = case("", "", "shell:execute", args.clone(), ("", "")).request(bench);
    request["resource"]["name"] = json!(tool);
    let attributes = request["resource"]["attributes"].as_object_mut().unwrap();
    attributes.extend(more.as_object().unwrap().clone());
    request
}

#[test]
fn a_schema_from_the_caller_binds_its_arguments_on_every_way() {
    let mut bench = Bench::new("[modes]\ndefault = \"bypassPermissions\"\n");
    bench.serve();
    let schema = json!({"type": "object", "required": ["to"], "additionalProperties": false,
        "properties": {"to": {"type": "string"}, "amount": {"type": "integer"}}});
    for (args, fits) in [
        (json!({"to": "a", "amount": 3}), true),
        (json!({"amount": 3}), false),
        (json!({"to": "a", "amount": "3"}), false),
        (json!({"to": "a", "amonut": 3}), false),
    ] {
        let request = asked(&bench, "pay", &args, &json!({"schema": schema}));
        let mut row = request.clone();
        row["id"] = json!("row");
        let question = json!({"subject": {"type": "user", "id": "u"}, "action": {"name": "tool:execute"},
            "resource": {"type": "tool", "id": "pay", "properties": {"args": args, "schema": schema}}});
        for (way, answer) in [
            ("decide", bench.ask("POST", "/v1/decide", &request)),
            ("over the port", bench.ask_over_http("/v1/decide", &request)),
            ("check", check(&bench, &["--json"], &request)),
            ("check --batch", check(&bench, &["--batch"], &row)),
            ("simulate", bench.ask("POST", "/v1/simulate", &request)),
            ("AuthZEN", bench.ask("POST", "/access/v1/evaluation", &question)),
        ] {
            let broken = answer.to_string().contains("args.schema");
            assert_eq!(broken, !fits, "{way} {args}: {answer}");
        }
    }
    let answer = bench.ask("POST", "/v1/decide", &asked(&bench, "pay", &json!({}), &json!({"schema": 5})));
    assert!(answer.to_string().contains("resource.attributes.schema is an object"), "{answer}");
}

#[test]
fn the_schema_of_a_pinned_server_binds_those_who_do_not_come_through_the_gateway() {
    let mut bench = Bench::new("[modes]\ndefault = \"bypassPermissions\"\n");
    bench.serve();
    let decided = |bench: &Bench, args: Value| {
        let answer =
            bench.ask("POST", "/v1/decide", &asked(bench, "mcp:suite/run_command", &args, &json!({})));
        answer["code"].as_str().unwrap().to_owned()
    };
    // A coding agent that speaks to the server itself.
    let hooked = |bench: &Bench, input: Value| {
        let event = json!({"session_id": "s", "hook_event_name": "PreToolUse", "cwd": bench.project(),
            "permission_mode": "bypassPermissions", "tool_name": "mcp__suite__run_command", "tool_input": input,
            "tool_use_id": input.to_string()});
        let (_, out, err) = bench.hook("claude-code", &event.to_string(), &[]);
        (out + &err).contains("args.schema")
    };
    assert_ne!(decided(&bench, json!({"command": 5})), "args.schema", "nothing is known of the server yet");
    assert!(!hooked(&bench, json!({"command": 5})), "nothing is known of the server yet");
    let server = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/conformance/server.py");
    let mut gateway = Command::new(DOORWARD)
        .args(["mcp", "--state"])
        .arg(bench.state())
        .args(["--name", "suite", "--", "python3", "-u", server])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"}});
    let mut input = gateway.stdin.take().unwrap();
    for (id, method, params) in [(1, "initialize", hello), (2, "tools/list", json!({}))] {
        writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .unwrap();
    }
    drop(input);
    gateway.wait_with_output().unwrap();
    assert_eq!(decided(&bench, json!({"command": 5})), "args.schema");
    assert_ne!(decided(&bench, json!({"command": "ls"})), "args.schema");
    assert!(hooked(&bench, json!({"command": 5})));
    for fits in [json!({"command": "ls"}), json!({"command": "ls", "security_risk": "LOW"})] {
        assert!(!hooked(&bench, fits.clone()), "{fits}");
    }
}

#[test]
fn what_a_caller_over_the_network_says_in_vain_is_in_its_answer() {
    let mut bench = Bench::new("[paths]\ncallers = { known = [\"/srv/known\"] }\n");
    bench.serve();
    let question = |id: &str, context: Value| {
        json!({"subject": {"type": "user", "id": id}, "action": {"name": "tool:execute"}, "context": context,
            "resource": {"type": "tool", "id": "shell:execute", "properties": {"args": {"command": "ls"}}}})
    };
    let notes = |answer: &Value| answer["context"]["notes"].to_string();
    let said = notes(&bench.ask("POST", "/access/v1/evaluation", &question("new", json!({"mode": "plan"}))));
    assert!(said.contains("new has no roots") && said.contains("[paths.callers]"), "{said}");
    assert!(said.contains("context.mode isn't taken"), "{said}");
    let said = notes(&bench.ask("POST", "/access/v1/evaluation", &question("known", json!({}))));
    assert_eq!(said, "null");
    let request = asked(&bench, "shell:execute", &json!({"command": "ls"}), &json!({}));
    let answer = bench.ask_over_http("/v1/decide", &request);
    assert!(answer["notes"].to_string().contains("context.roots isn't taken"), "{answer}");
    assert_eq!(bench.ask("POST", "/v1/decide", &request)["notes"], Value::Null, "it is taken from here");
}

#[test]
fn a_projects_own_settings_hold_on_every_way_that_names_it() {
    let mut bench = Bench::new("");
    let own = bench.project().join(".doorward");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("doorward.toml"), "[rules]\ndeny = [\"shell(make *)\"]\n").unwrap();
    bench.serve();
    let request = asked(&bench, "shell:execute", &json!({"command": "make all"}), &json!({}));
    let mut row = request.clone();
    row["id"] = json!("row");
    for answer in [
        bench.ask("POST", "/v1/decide", &request),
        bench.ask("POST", "/v1/simulate", &request),
        check(&bench, &["--json"], &request),
        check(&bench, &["--batch"], &row),
    ] {
        assert_eq!(told(&answer), ("DENY".to_owned(), "rule.deny".to_owned()), "{answer}");
    }
}

/// Ways in that take no request of the contract: a recorded run, a row of `policy test`, a command that is run.
#[test]
fn a_replayed_a_tested_and_a_run_call_are_read_like_any_other() {
    let bench = Bench::new("");
    let settings = bench.state().join("doorward.toml");
    for (config, tool, args, expected) in [
        (LLM, "shell:execute", json!({"command": "ls", "security_risk": "HIGH"}), "confirm.policy"),
        ("[modes]\ndefault = \"plan\"\n", "shell:execute", json!({"command": "touch x"}), "mode.plan"),
        (
            "[paths]\nroots = \"strict\"\n",
            "fs:write",
            json!({"path": "/opt/x", "content": "x"}),
            "path.escape",
        ),
        ("[rules]\ndeny = [\"shell(make *)\"]\n", "shell:execute", json!({"command": "make"}), "rule.deny"),
    ] {
        std::fs::write(&settings, config).unwrap();
        let run = json!({"id": "run", "cwd": "/workspace", "steps": [{"tool": tool, "args": args}]});
        let file = bench.file("runs.jsonl");
        std::fs::write(&file, format!("{run}\n")).unwrap();
        let words = [file.to_str().unwrap(), "--settings", settings.to_str().unwrap(), "--json"];
        let (_, said) = bench.doorward(&[&["eval", "replay"], words.as_slice()].concat());
        let answer: Value = serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"));
        assert_eq!(answer["runs"][0]["steps"][0]["code"], expected, "{config} {said}");
    }
    let row = json!({"id": "alias", "level": "whole", "mode": "plan", "policies": {"rules": {}},
        "request": {"principal": {"id": "u"}, "action": "tool:execute", "context": {"client": "claude-code"},
            "resource": {"type": "tool", "name": "Bash", "attributes": {"args": {"command": "touch x"}}}},
        "expect": "DENY", "expect_code": "mode.plan"});
    // `auto` is known there too, with the cells of `default`; a word that no mode has is refused by name.
    let mut auto = row.clone();
    (auto["mode"], auto["expect"], auto["expect_code"]) =
        (json!("auto"), json!("REQUIRE_USER_CONFIRMATION"), json!("mode.confirm"));
    let rows = bench.file("rows.jsonl");
    let mut wrong = row.clone();
    wrong["mode"] = json!("yolo");
    std::fs::write(&rows, format!("{wrong}\n")).unwrap();
    let (code, said) = bench.doorward(&["policy", "test", rows.to_str().unwrap()]);
    assert!(code != 0 && said.contains("unknown mode yolo: it is one of default"), "{code} {said}");
    std::fs::write(&rows, format!("{row}\n{auto}\n")).unwrap();
    let (code, said) = bench.doorward(&["policy", "test", rows.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
    std::fs::write(&settings, "[paths]\nroots = \"strict\"\n").unwrap();
    let state = bench.state().display().to_string();
    let (code, said) = bench.doorward(&["run", "--state", &state, "--", "touch /opt/x"]);
    assert!(code == 125 && said.contains("path.escape"), "{code} {said}");
}

#[test]
fn settings_that_reach_no_client_are_named_where_a_user_looks() {
    for (config, named) in [
        ("[confirm]\npolicy = { kind = \"NeverConfirm\" }\n", "confirm.policy = NeverConfirm"),
        ("[modes]\ndefault = \"dontAsk\"\n", "modes.default = \"dontAsk\""),
    ] {
        let mut bench = Bench::new(config);
        let state = bench.state().display().to_string();
        let names = |said: &str| said.contains(named) && said.contains("hooks.relieve = \"policy\"");
        for words in [["config", "explain"], ["config", "check"]] {
            let (_, said) = bench.doorward(&[words.as_slice(), &["--state", &state]].concat());
            assert!(names(&said), "{words:?}: {said}");
        }
        let (_, said) = bench.doorward(&["doctor", "--state", &state]);
        assert!(names(&said), "doctor: {said}");
        bench.serve();
        for words in ["doctor", "status"] {
            let (_, said) = bench.doorward(&[words, "--state", &state]);
            assert!(names(&said), "{words}: {said}");
        }
        let shown = bench.ask("GET", "/v1/settings", &Value::Null);
        assert!(names(shown["notes"][0].as_str().unwrap_or_default()), "{shown}");
        bench.stop_service();
        let reached = format!("{config}[hooks]\nrelieve = \"policy\"\n");
        std::fs::write(bench.state().join("doorward.toml"), reached).unwrap();
        let (_, said) = bench.doorward(&["config", "explain", "--state", &state]);
        assert!(!said.contains("still asks by its own settings"), "{said}");
    }
}
