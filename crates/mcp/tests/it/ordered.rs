//! Definitions that give an order, in any wording, and definitions that only explain their tool: each line as a
//! description and as the text of a parameter.

use doorward_mcp::scan::{ScanVerdict, verdict};
use doorward_mcp::{Definition, Listed, scan};
use serde_json::json;

/// Other tools on the same server: naming these isn't steering.
const OWN: &[&str] = &[
    "browser_navigate",
    "close_session",
    "get_schema",
    "list_directory",
    "list_issues",
    "list_processes",
    "list_statuses",
    "read_file",
    "resolve-library-id",
];

fn found(text: &str, as_parameter: bool) -> Vec<String> {
    let (description, parameter) =
        if as_parameter { ("Does one thing.", text) } else { (text, "What to look for.") };
    let mut tools = vec![json!({"name": "helper_tool", "description": description, "inputSchema":
        {"type": "object", "properties": {"q": {"type": "string", "description": parameter}}}})];
    tools.extend(OWN.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})));
    let tools = tools.iter().map(|tool| Definition::of(&tool.to_string()).unwrap()).collect();
    let listed = [Listed { server: "s".to_owned(), trusted: false, tools }];
    let findings = scan(&listed, &[]);
    if verdict(&findings) == ScanVerdict::Ok {
        return Vec::new();
    }
    findings.into_iter().filter(|finding| finding.tool == "helper_tool").map(|finding| finding.code).collect()
}

/// Lines of a file whose finding differs from `wanted`.
fn wrong(lines: &str, wanted: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        for as_parameter in [false, true] {
            let codes = found(line, as_parameter);
            if codes.is_empty() == wanted {
                wrong.push(format!("{} {line} {codes:?}", if as_parameter { "parameter:" } else { "" }));
            }
        }
    }
    wrong
}

#[test]
fn what_orders_an_act_is_found() {
    let wrong = wrong(include_str!("../../testdata/ordered.txt"), true);
    assert!(wrong.is_empty(), "{} missed:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn what_explains_its_tool_is_clean() {
    let wrong = wrong(include_str!("../../testdata/unordered.txt"), false);
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
