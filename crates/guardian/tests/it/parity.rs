//! Upstream's rendering of actions and naming of experience files, on recorded cases.
//!
//! The rows are upstream's (MIT) and aren't in this repository: without `DOORWARD_DATA` this test reports that it
//! checked nothing.

use doorward_guardian::experiences::names;
use doorward_guardian::toolshield::GuardrailAction;
use serde_json::{Value, json};

#[test]
fn actions_and_file_names_are_as_upstream_has_them() {
    let Some(file) = doorward_needs::data!("openhands/parity.jsonl") else { return };
    let rows = std::fs::read_to_string(file).unwrap();
    let mut checked = 0;
    for line in rows.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let input = &row["input"];
        let answer = match row["fn"].as_str().unwrap() {
            "guardrail.format_action" => json!(rendered(&input["action"])),
            "experience.name_from_server" => {
                json!(names::from_server(input["server_name"].as_str().unwrap()))
            }
            "experience.tools_from_config" => {
                let servers = input["mcp_config"]["mcpServers"].as_object();
                let servers = servers.into_iter().flat_map(|servers| servers.keys().map(String::as_str));
                let tools = input["tool_names"].as_array().unwrap().iter().filter_map(Value::as_str);
                json!(names::from_config(servers, tools))
            }
            _ => continue,
        };
        assert_eq!(json!({ "value": answer }), row["expected"], "{} {input}", row["id"]);
        checked += 1;
    }
    assert!(checked > 0);
}

fn rendered(action: &Value) -> String {
    let text = |key: &str| action[key].as_str().unwrap_or_default();
    let thoughts: Vec<&str> =
        action["thought"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let (arguments, unparsed) = match &action["action"] {
        Value::Null => (text("arguments").to_owned(), true),
        parsed => (parsed.to_string(), false),
    };
    let (tool, summary, thought) = (text("tool_name"), text("summary"), thoughts.join(" "));
    GuardrailAction { tool, summary, thought: &thought, arguments: &arguments, unparsed }.rendered()
}
