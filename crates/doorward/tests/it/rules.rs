//! Whole-way rows: a rule or a policy set, one command, the product's own analysis, one verdict.

use doorward_core::decision::{PolicyDecision, Verdict};
use doorward_policy::testing::{self, Row};
use serde_json::{Value, json};

fn rows(path: &str) -> Vec<Value> {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn whole(row: &Row) -> testing::RowResult {
    testing::run_row(row, &mut |row, _, request| match testing::compile(row) {
        Ok(compiled) => doorward::testing::whole(row, compiled, request),
        Err(error) => PolicyDecision::deny("policy.load", error.to_string()),
    })
}

/// The verdict for a command under one rule.
fn under_rule(row: &Value) -> PolicyDecision {
    let list = row["effect"].as_str().unwrap();
    let rules = if row["rule"].is_array() { row["rule"].clone() } else { json!([row["rule"]]) };
    let row = json!({
        "id": row["id"], "level": "whole", "policies": {"rules": {list: rules}}, "mode": row["mode"],
        "request": {"principal": {"id": "u"}, "action": "tool:execute",
            "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": row["command"]}}}},
        "expect": "ALLOW",
    });
    whole(&serde_json::from_value(row).unwrap()).decision
}

#[test]
fn no_attack_on_a_rule_is_allowed() {
    let (mut failed, mut strict, mut strict_held) = (Vec::new(), 0, 0);
    for row in rows("testdata/rule_bypass.jsonl") {
        let decision = under_rule(&row);
        if decision.decision == Verdict::Allow {
            failed.push(format!("{} {}: {}", row["id"], row["rule"], row["command"]));
        }
        if row["expect_strict"] == "deny" {
            strict += 1;
            strict_held += usize::from(decision.decision == Verdict::Deny);
        }
    }
    eprintln!("{strict_held} of {strict} visible evasions denied rather than asked about");
    assert!(failed.is_empty(), "{} allowed:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_innocent_twin_is_allowed_without_a_question() {
    let mut failed = Vec::new();
    for row in rows("testdata/rule_benign.jsonl") {
        let decision = under_rule(&row);
        if decision.decision != Verdict::Allow {
            failed.push(format!(
                "{} {}: {} → {} {}",
                row["id"], row["rule"], row["command"], decision.code, decision.reason
            ));
        }
    }
    assert!(failed.is_empty(), "{} stopped:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_recorded_decision_comes_out_as_expected() {
    let mut failed = Vec::new();
    let rows = rows("../policy/testdata/decisions.jsonl");
    for row in &rows {
        let result = whole(&serde_json::from_value(row.clone()).unwrap());
        if !result.passed() {
            failed.push(format!("{}: {:?}", result.id, result.failures));
        }
    }
    assert!(failed.is_empty(), "{} of {} failed:\n{}", failed.len(), rows.len(), failed.join("\n"));
}

/// Rows of a table whose verdict isn't what they say: `allow`, `not_allow`, a deny rule that is `met`, or `not_met`.
fn rule_misses(table: &str) -> Vec<String> {
    let mut misses = Vec::new();
    for row in rows(table) {
        let decision = under_rule(&row);
        let met = decision.code.starts_with("rule.");
        let fits = match row["expect"].as_str().unwrap() {
            "allow" => decision.decision == Verdict::Allow,
            "not_allow" => decision.decision != Verdict::Allow,
            "met" => met && decision.decision != Verdict::Allow,
            "not_met" => !met,
            other => panic!("no such expectation: {other}"),
        };
        if !fits {
            misses.push(format!(
                "{} {} {}: {} → {:?} {} {}",
                row["id"],
                row["expect"],
                row["rule"],
                row["command"],
                decision.decision,
                decision.code,
                decision.reason
            ));
        }
    }
    misses
}

#[test]
fn a_rule_covers_nothing_beyond_its_program() {
    let misses = rule_misses("testdata/rule_cover.jsonl");
    assert!(misses.is_empty(), "{} rows:\n{}", misses.len(), misses.join("\n"));
}

#[test]
fn twins_of_what_rules_stop_are_free() {
    let misses = rule_misses("testdata/rule_twins.jsonl");
    assert!(misses.is_empty(), "{} rows:\n{}", misses.len(), misses.join("\n"));
}

/// Places where a redirection (`@`) may stand; each line without it is allowed by the rules.
const SHAPES: &[&str] = &[
    "echo x @",
    "@ echo x",
    "echo x; @",
    "@; echo x",
    "echo x && @",
    "echo x || @",
    "echo x & @",
    "echo x | @",
    "{ echo x; } @",
    "( echo x ) @",
    "{ @; echo x; }",
    "( @; echo x )",
    "if true; then echo x; fi @",
    "if @; then echo x; fi",
    "while true @; do break; done",
    "while false; do echo x; done @",
    "until true; do echo x; done @",
    "for i in 1; do echo x; done @",
    "for i in 1; do @; done; echo x",
    "case x in x) echo x;; esac @",
    "case x in x) @;; esac; echo x",
    "f() { echo x; } @; f",
    "f() { echo x; }; f @",
    "f() { @; }; f; echo x",
    "echo $(@)",
    "echo $(echo x @)",
    "echo \"$(@)\"",
    "cat <(@)",
    "cat <(echo x @)",
    "[[ a ]] @; echo x",
    "(( 1 )) @; echo x",
    "x=1 @; echo x",
    "exec @; echo x",
    "command echo x @",
    "eval 'echo x @'",
    "time echo x @",
    "! echo x @",
    "coproc echo x @",
    "echo x @ | cat",
    "true @ && echo x",
    "echo x\n@",
    "select i in a; do echo x; break; done @",
    "for ((i=0;i<1;i++)); do echo x; done @",
    ": @; echo x",
    "echo ${x:-$(@)}",
];

const REDIRECTIONS: &[&str] = &[
    "> f",
    ">> f",
    ">| f",
    "&> f",
    "&>> f",
    ">& f",
    "3> f",
    "2> f",
    "<> f",
    "> ~/.bashrc",
    "> .git/hooks/pre-commit",
    "> \"$F\"",
    "> /dev/tcp/h.example/80",
    "3<> /dev/tcp/h.example/80",
    "> /dev/udp/h.example/53",
];

#[test]
fn no_set_of_rules_over_its_programs_covers_a_redirection() {
    let rules = json!([
        "Bash(echo:*)",
        "Bash(cat:*)",
        "Bash(true:*)",
        "Bash(exec:*)",
        "Bash(eval:*)",
        "Bash(command:*)"
    ]);
    let allowed = |command: &str| {
        let row = json!({"id": "generated", "effect": "allow", "mode": "default", "rule": rules, "command": command});
        under_rule(&row).decision == Verdict::Allow
    };
    let covered: Vec<String> = SHAPES
        .iter()
        .flat_map(|shape| REDIRECTIONS.iter().map(move |redirection| shape.replace('@', redirection)))
        .filter(|command| allowed(command))
        .collect();
    assert!(
        covered.is_empty(),
        "{} of {}:\n{}",
        covered.len(),
        SHAPES.len() * REDIRECTIONS.len(),
        covered.join("\n")
    );
    // The same places with a redirection that opens nothing.
    let quiet: Vec<String> = SHAPES.iter().map(|shape| shape.replace('@', "2> /dev/null")).collect();
    let asked: Vec<&String> = quiet.iter().filter(|command| !allowed(command)).collect();
    assert!(asked.is_empty(), "{asked:#?}");
}
