//! The scan over labelled definitions: every expected finding at its position, and no others. The rows of other
//! projects lie outside the tree.

use std::collections::BTreeMap;

use doorward_core::json;
use doorward_mcp::scan::{ScanFinding, ScanVerdict, verdict};
use doorward_mcp::{Definition, Listed, scan};
use serde_json::Value;

fn listed(value: Option<&Value>) -> Vec<Listed> {
    let servers = value.and_then(Value::as_array).into_iter().flatten();
    servers
        .map(|one| Listed {
            server: one["server"].as_str().unwrap().to_owned(),
            trusted: one["trust"] == "trusted",
            tools: one["tools"].as_array().unwrap().iter().map(definition).collect(),
        })
        .collect()
}

fn definition(tool: &Value) -> Definition {
    Definition::of(&tool.to_string()).unwrap()
}

fn rows(text: &str) -> impl Iterator<Item = Value> + '_ {
    let limits = json::Limits { depth: 1_024, ..json::Limits::default() };
    let row = move |line: &str| Value::from(&json::Value::parse_bytes(line.as_bytes(), limits).unwrap());
    text.lines().filter(|line| !line.trim().is_empty()).map(row)
}

/// Differences between the findings and a row; empty if they agree.
fn differences(row: &Value, findings: &[ScanFinding]) -> Vec<String> {
    let mut told = Vec::new();
    let text =
        |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let expected: Vec<&Value> = row["expect"].as_array().unwrap().iter().collect();
    let may: Vec<&str> = row["may"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for one in &expected {
        let pointer = text(one, "pointer");
        let is_it = |finding: &&ScanFinding| {
            let at = finding.pointer.clone().unwrap_or_default();
            finding.code == text(one, "code")
                && finding.tool == text(one, "tool")
                && (pointer.is_empty() || at == pointer || pointer.starts_with(&format!("{at}/")))
        };
        if !findings.iter().any(|finding| is_it(&finding)) {
            told.push(format!("missing {} at {pointer}", text(one, "code")));
        }
    }
    for finding in findings {
        let known = expected.iter().any(|one| text(one, "code") == finding.code);
        if !known && !may.contains(&finding.code.as_str()) {
            told.push(format!("beside: {} at {:?}", finding.code, finding.pointer));
        }
    }
    let wanted = match row["verdict"].as_str() {
        Some("block") => ScanVerdict::Block,
        Some("review") => ScanVerdict::Review,
        _ => ScanVerdict::Ok,
    };
    if verdict(findings) < wanted {
        told.push(format!("verdict {:?}", verdict(findings)));
    }
    told
}

#[test]
fn every_row_gives_what_it_should_and_nothing_else() {
    let text = include_str!("../../testdata/tool_definitions.jsonl");
    let mut groups: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for row in rows(text) {
        let findings = scan(&listed(row.get("current")), &listed(row.get("pinned")));
        let told = differences(&row, &findings);
        let group = groups.entry(row["group"].as_str().unwrap().to_owned()).or_default();
        group.1 += 1;
        group.0 += usize::from(told.is_empty());
        if !told.is_empty() {
            wrong.push(format!("{}: {told:?}", row["id"]));
        }
    }
    println!("{groups:?}");
    assert!(wrong.is_empty(), "{groups:?}\n{}", wrong.join("\n"));
}

#[test]
fn definitions_of_other_projects_are_judged_as_their_authors_labelled_them() {
    let Some(file) = doorward_needs::data!("mcp/peer_definitions.jsonl") else { return };
    let text = std::fs::read_to_string(file).unwrap();
    let mut wrong = Vec::new();
    let mut all = 0;
    for row in rows(&text) {
        let mut servers = vec![Listed {
            server: row["server"].as_str().unwrap().to_owned(),
            trusted: false,
            tools: vec![definition(&row["tool"])],
        }];
        for peer in row["peers"].as_array().into_iter().flatten() {
            let (name, tool) = (peer["server"].as_str().unwrap(), definition(&peer["tool"]));
            match servers.iter_mut().find(|listed| listed.server == name) {
                Some(listed) => listed.tools.push(tool),
                None => servers.push(Listed { server: name.to_owned(), trusted: true, tools: vec![tool] }),
            }
        }
        let findings = scan(&servers, &[]);
        let found = verdict(&findings) != ScanVerdict::Ok;
        all += 1;
        if found != (row["label"] == "malicious") {
            let codes: Vec<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
            wrong.push(format!("{} ({}): {codes:?}", row["id"], row["label"]));
        }
    }
    assert!(wrong.is_empty(), "{} of {all} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
