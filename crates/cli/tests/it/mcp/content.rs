//! Prompts and resources: whose texts they are, and whether their server is the one that was approved.

use serde_json::{Value, json};

use super::client::{self, Client};
use super::{denied, outcomes, text_of};
use crate::support::Bench;

const RESOURCE: &str = "mcp:scripted/resources/test://a";

fn read(client: &mut Client) -> Value {
    client.request("resources/read", json!({"uri": "test://a"}))
}

fn prompt(client: &mut Client) -> Value {
    client.request("prompts/get", json!({"name": "greet"}))
}

/// Codes that were found in the calls of this name.
fn found(ledger: &[Value], name: &str) -> Vec<String> {
    ledger
        .iter()
        .filter(|one| one["kind"] == "decision" && one["resource"]["name"] == name)
        .map(|one| one["risk"].to_string() + &one["findings"].to_string())
        .collect()
}

#[test]
fn an_exchanged_server_hands_out_no_prompt_and_no_resource_until_a_person_approved_it() {
    for served in [false, true] {
        // What the settings trust is the server that was approved, not whatever has its name.
        let mut bench = Bench::new("[mcp]\ntrusted = [\"scripted\"]\n");
        if served {
            bench.serve();
        }
        let Some(mut client) = Client::variant(&bench, "", &[]) else { return };
        client.initialize(json!({}));
        assert!(read(&mut client)["result"].is_object() && prompt(&mut client)["result"].is_object());
        assert_eq!(client.end(), 0);

        let mut other = Client::exchanged(&bench).unwrap();
        other.initialize(json!({}));
        for answer in [read(&mut other), prompt(&mut other)] {
            assert_eq!(answer["error"]["code"], -32003, "served {served}: {answer}");
            assert!(answer["error"]["message"].as_str().unwrap().contains("pin.binary"), "{answer}");
            assert!(!answer.to_string().contains("content of"), "{answer}");
        }
        denied(&other.call("echo", json!({"text": "a"})), "pin.binary");
        assert_eq!(other.end(), 0);
        let ledger = if served { bench.ledger() } else { other.own_ledger() };
        let decided = found(&ledger, RESOURCE);
        assert!(decided.last().is_some_and(|one| one.contains("pin.binary")), "it is recorded: {ledger:?}");
        assert_eq!(outcomes(&ledger, "resources/test://a").len(), usize::from(served), "one was read");

        let state = bench.state().display().to_string();
        if served && client::at_terminal(&bench, &["mcp", "approve", "scripted", "--state", &state]) {
            let mut other = Client::exchanged(&bench).unwrap();
            other.initialize(json!({}));
            assert!(read(&mut other)["result"].is_object());
            other.end();
            let mut first = Client::variant(&bench, "", &[]).unwrap();
            first.initialize(json!({}));
            assert_eq!(read(&mut first)["error"]["code"], -32003, "now the first one is another");
            first.end();
        }
    }
}

#[test]
fn texts_of_a_server_that_nobody_trusts_mark_the_session_and_can_be_told_apart_by_rules() {
    for trusted in [false, true] {
        let mut bench = Bench::new(if trusted { "[mcp]\ntrusted = [\"scripted\"]\n" } else { "" });
        bench.serve();
        for what in ["resource", "prompt"] {
            let Some(mut client) = Client::variant(&bench, "", &[]) else { return };
            client.initialize(json!({}));
            let answer = if what == "resource" { read(&mut client) } else { prompt(&mut client) };
            assert!(answer["result"].is_object(), "{answer}");
            let sessions = bench.ask("GET", "/v1/sessions", &json!({})).to_string();
            // Any call of a server marks the session; one that the settings trust is told apart by the finding.
            assert!(sessions.contains("untrusted_content"), "{what}, trusted {trusted}: {sessions}");
            client.end();
        }
        let ledger = bench.ledger();
        for name in [RESOURCE, "mcp:scripted/prompts/greet"] {
            let found = found(&ledger, name);
            assert_eq!(found.len(), 1, "{ledger:?}");
            assert_eq!(found[0].contains("mcp.content"), !trusted, "{name}, trusted {trusted}: {found:?}");
        }
    }
    let forbid = "[policy]\nfiles = [\"own.cedar\"]\n";
    let bench = Bench::new(forbid);
    let rule = "@id(\"no-strangers\")\nforbid(principal, action, resource) when { \
                context.doorward.findings.contains(\"mcp.content\") };\n";
    std::fs::write(bench.project().join("own.cedar"), rule).unwrap();
    let Some(mut client) = Client::scripted(&bench, &[]) else { return };
    client.initialize(json!({}));
    let answer = read(&mut client);
    assert_eq!(answer["error"]["code"], -32003, "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("no-strangers"), "{answer}");
    client.end();
}

/// Some servers have no tools. Their identity is pinned all the same, and tools that they get later have their first
/// sight then.
#[test]
fn a_server_without_tools_is_pinned_by_the_first_text_that_is_read() {
    let bench = Bench::new("[rules]\nallow = [\"mcp(scripted/*)\"]\n");
    let Some(mut client) = Client::variant(&bench, "toolless", &[]) else { return };
    client.initialize(json!({}));
    assert!(read(&mut client)["result"].is_object());
    denied(&client.call("echo", json!({"text": "a"})), "mcp.list");
    client.end();
    let mut client = Client::variant(&bench, "", &[]).unwrap();
    client.initialize(json!({}));
    assert!(text_of(&client.call("echo", json!({"text": "now"}))).contains("now"));
    client.end();
    let mut other = Client::exchanged(&bench).unwrap();
    other.initialize(json!({}));
    assert_eq!(read(&mut other)["error"]["code"], -32003);
    denied(&other.call("echo", json!({"text": "a"})), "pin.binary");
    other.end();

    // One that is exchanged before it listed a tool has no first sight.
    let bench = Bench::new("[rules]\nallow = [\"mcp(scripted/*)\"]\n");
    let mut client = Client::variant(&bench, "toolless", &[]).unwrap();
    client.initialize(json!({}));
    assert!(read(&mut client)["result"].is_object());
    client.end();
    let mut other = Client::exchanged(&bench).unwrap();
    other.initialize(json!({}));
    assert_eq!(read(&mut other)["error"]["code"], -32003);
    denied(&other.call("echo", json!({"text": "a"})), "pin.binary");
    other.end();
}

#[test]
fn a_question_about_a_resource_says_that_it_would_be_read() {
    let bench = Bench::new("[rules]\nask = [\"mcp(scripted/resources/*)\"]\n");
    let Some(mut client) = Client::scripted(&bench, &[]) else { return };
    client.initialize(json!({"elicitation": {}}));
    client.elicit = Some(json!({"action": "accept", "content": {"decision": "allow_once"}}));
    assert!(read(&mut client)["result"].is_object());
    let asked = client.asked.last().unwrap();
    assert!(asked.contains("read the resource") && asked.contains("\"test://a\""), "{asked}");
    assert!(!asked.contains("run with") && !asked.contains("tool"), "{asked}");
    client.end();
}
