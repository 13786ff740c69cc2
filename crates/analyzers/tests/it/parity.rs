//! Answers every case recorded from upstream as upstream did.
//!
//! The rows are upstream's (MIT) and aren't in this repository: without `DOORWARD_DATA` this test reports that it
//! checked nothing, and only the tables next to the code are tested.

use std::collections::BTreeMap;

use doorward_analyzers::compat::{PatternRules, Rail, ScannedAction, fuse, normalise, risk_of_score, scan};
use doorward_analyzers::self_report::{Enhancement, extract};
use doorward_core::risk::SecurityRisk;
use serde_json::{Value, json};

#[test]
fn every_recorded_case_has_upstreams_answer() {
    let Some(file) = doorward_needs::data!("openhands/parity.jsonl") else { return };
    let rows = std::fs::read_to_string(file).unwrap();
    let mut checked: BTreeMap<String, usize> = BTreeMap::new();
    let mut elsewhere: BTreeMap<String, usize> = BTreeMap::new();
    for line in rows.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let name = row["fn"].as_str().unwrap().to_owned();
        let Some(answer) = answer(&name, &row["input"]) else {
            *elsewhere.entry(name).or_default() += 1;
            continue;
        };
        let mut expected = row["expected"].clone();
        if let Some(value) = expected.get_mut("value") {
            *value = expanded(value);
        }
        assert_eq!(answer, expected, "{} {name} {:.300}", row["id"], row["input"].to_string());
        *checked.entry(name).or_default() += 1;
    }
    eprintln!("checked {checked:?}; rows of other rooms {elsewhere:?}");
    for name in ["normalize", "pattern", "shell_scan", "rail", "ensemble", "extract_security_risk"] {
        assert!(checked.contains_key(name), "no row of {name}");
    }
}

/// The answer in the form of the rows; `None` for cases of other crates.
fn answer(name: &str, input: &Value) -> Option<Value> {
    let value = |value: Value| Some(json!({ "value": value }));
    let risk = |risk: SecurityRisk| Some(json!({ "value": risk.as_str() }));
    match name {
        "normalize" => value(normalise(&text(&input["text"])).into()),
        "pattern" => risk(PatternRules.judge(&action(&input["action"])).risk),
        "rail" => risk(Rail.judge(&action(&input["action"])).risk),
        "rail.segments" => {
            let texts: Vec<String> = input["segments"].as_array()?.iter().map(text).collect();
            let hit = Rail.judge_texts(&texts);
            value(json!({"outcome": hit.risk.as_str(), "rule": hit.rule}))
        }
        "shell_scan" => {
            let scanned = scan(&text(&input["command"]));
            let detector = if scanned.found { input["detector_id"].clone() } else { Value::Null };
            value(json!({"matched": scanned.found, "detector_id": detector, "uncertain": scanned.open}))
        }
        "ensemble" => {
            let action = action(&input["action"]);
            let risks: Vec<SecurityRisk> =
                input["children"].as_array()?.iter().map(|child| verdict(child, &action)).collect();
            risk(fuse(&risks, input["propagate_unknown"].as_bool()?))
        }
        "score_map" => {
            let number = |key: &str| input[key].as_f64();
            risk(risk_of_score(number("score")?, number("low_threshold")?, number("medium_threshold")?))
        }
        "risk.is_riskier" | "risk.gt" | "risk.lt" => {
            let word = |key: &str| SecurityRisk::from_word(input[key].as_str()?);
            let (left, right) = (word("self")?, word("other")?);
            let reflexive = input.get("reflexive").and_then(Value::as_bool).unwrap_or(true);
            let compared = match name {
                "risk.lt" => right.is_strictly_riskier(left),
                "risk.is_riskier" if reflexive => left.is_riskier(right),
                _ => left.is_strictly_riskier(right),
            };
            match compared {
                Ok(riskier) => value(riskier.into()),
                Err(_) => Some(json!({"raises": "ValueError"})),
            }
        }
        "llm" => risk(SecurityRisk::from_word(input["action"]["security_risk"].as_str()?)?),
        "extract_security_risk" => {
            let read_only = input["read_only"].as_bool()?;
            let on = input["analyzer_configured"].as_bool()?;
            let told = extract(&input["arguments"].to_string(), read_only, on, Enhancement::OpenhandsCompat);
            match told {
                Ok(extracted) => risk(extracted.risk),
                Err(_) => Some(json!({"raises": "ValueError"})),
            }
        }
        _ => None,
    }
}

/// A child of an ensemble; one that throws counts as HIGH.
fn verdict(child: &Value, action: &ScannedAction) -> SecurityRisk {
    if child.get("rail").is_some() {
        Rail.judge(action).risk
    } else if child.get("pattern").is_some() {
        PatternRules.judge(action).risk
    } else if child.get("raises").is_some() {
        SecurityRisk::High
    } else {
        SecurityRisk::from_word(child["fixed"].as_str().unwrap()).unwrap()
    }
}

fn action(value: &Value) -> ScannedAction {
    let told = |key: &str| (!value[key].is_null()).then(|| text(&value[key]));
    ScannedAction {
        tool_name: text(&value["tool_name"]),
        tool_call_name: text(&value["tool_call_name"]),
        arguments: text(&value["arguments"]),
        summary: told("summary"),
        thought: value["thought"].as_array().into_iter().flatten().map(text).collect(),
        reasoning_content: told("reasoning_content"),
    }
}

fn text(value: &Value) -> String {
    expanded(value).as_str().unwrap_or_default().to_owned()
}

/// Long texts are stored as parts: `{"$concat": ["x", {"$repeat": ["y", 3]}]}`.
fn expanded(value: &Value) -> Value {
    let Some(parts) = value.get("$concat").and_then(Value::as_array) else { return value.clone() };
    let part = |part: &Value| match part.get("$repeat") {
        Some(repeat) => {
            let times = usize::try_from(repeat[1].as_u64().unwrap()).unwrap();
            repeat[0].as_str().unwrap().repeat(times)
        }
        None => part.as_str().unwrap().to_owned(),
    };
    parts.iter().map(part).collect::<String>().into()
}
