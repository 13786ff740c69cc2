//! What "always" proposes, over a whole service: the calls of a row are allowed one after the other, the rule proposed
//! for the last is saved, and then the calls it must match pass and the others are asked about. DOORWARD_RULE_PROPOSALS:
//! another file of such rows.

use crate::support::Bench;
use doorward::rooms::store::Role;
use serde_json::{Value, json};

const ASKS: &str = "[policy]\npacks = []\n[confirm]\npolicy = { kind = 'AlwaysConfirm' }\n";

fn rows() -> Vec<Value> {
    let shipped = include_str!("data/rule_proposals.jsonl").to_owned();
    let text = std::env::var("DOORWARD_RULE_PROPOSALS")
        .map_or(shipped, |path| std::fs::read_to_string(path).unwrap());
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The tool a row's word stands for.
fn tool(word: &str) -> String {
    match word {
        "shell" => "shell:execute".to_owned(),
        "fetch" => "net:fetch".to_owned(),
        "write_text" | "read_text" => format!("mcp:files/{word}"),
        other if other.contains(':') => other.to_owned(),
        other => format!("mcp:other/{other}"),
    }
}

fn decide(bench: &Bench, call: &Value) -> Value {
    let body = json!({
        "principal": {"id": "agent-a"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": tool(call["tool"].as_str().unwrap()), "attributes": {"args": call["arguments"]}},
        "context": {"cwd": "/w", "session_id": "s"},
    });
    bench.local("POST", "/v1/decide", Some(&body.to_string())).json()
}

#[test]
fn the_rows_of_proposals_hold() {
    let mut faults = Vec::new();
    for row in rows() {
        let id = row["id"].as_str().unwrap();
        let bench = Bench::new(ASKS);
        let ana = bench.account("ana", Role::Approver, &[]);
        let calls = row["calls"].as_array().unwrap();
        let (last, earlier) = calls.split_last().unwrap();
        for call in earlier {
            let asked = decide(&bench, call);
            let Some(question) = asked["confirmation"]["confirmationId"].as_str() else { continue };
            let answered = bench.answer(&ana, question, json!({"typed": "I confirm"}));
            assert_eq!(answered.status, 200, "{id}: {answered:?}");
        }
        let asked = decide(&bench, last);
        let offered = row["always_offered"] == json!(true);
        let Some(question) = asked["confirmation"]["confirmationId"].as_str() else {
            // What is denied has no question, and so no "always" either.
            if offered {
                faults.push(format!("{id}: not asked: {asked}"));
            }
            continue;
        };
        let path = format!("/v1/approvals/{question}/rule");
        let shown = bench.with(&ana, "POST", &path, Some(&json!({}))).json();
        // A changed pin joins with the gateway.
        if !offered && row["why_not"] == "pin.changed" {
            continue;
        }
        if shown["offered"] != json!(offered) {
            faults.push(format!("{id}: offered {}: {shown}", shown["offered"]));
        }
        if !offered || shown["offered"] != json!(true) {
            continue;
        }
        let more = json!({"reach": "always", "rule": {}, "preview": shown["digest"], "typed": "I confirm"});
        let saved = bench.answer(&ana, question, more);
        assert_eq!(saved.status, 200, "{id}: {saved:?}");
        for (list, allowed) in [("must_match", true), ("must_not_match", false)] {
            for call in row[list].as_array().into_iter().flatten() {
                let decided = decide(&bench, call);
                if (decided["decision"] == "ALLOW") != allowed {
                    faults.push(format!(
                        "{id} {list} {}: {} under {}",
                        call["arguments"], decided["decision"], shown["rules"]
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
