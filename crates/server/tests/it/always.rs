//! "Always": a rule is shown, saved as shown, holds for whom it was saved, and is taken back.

use std::time::Duration;

use crate::support::{Bench, PASSPHRASE, Reply};
use doorward::rooms::store::Role;
use serde_json::{Value, json};

const ASKS: &str = "[policy]\npacks = []\n[confirm]\npolicy = { kind = 'AlwaysConfirm' }\n";

struct Desk {
    bench: Bench,
    ana: String,
}

impl Desk {
    fn new(settings: &str) -> Self {
        let bench = Bench::new(settings);
        let ana = bench.account("ana", Role::Approver, &[]);
        Self { bench, ana }
    }

    fn decide(&self, caller: &str, tool: &str, args: Value) -> Value {
        let body = json!({
            "principal": {"id": caller}, "action": "tool:execute",
            "resource": {"type": "tool", "name": tool, "attributes": {"args": args}},
            "context": {"cwd": "/projects/p", "session_id": "s"},
        });
        self.bench.local("POST", "/v1/decide", Some(&body.to_string())).json()
    }

    fn shell(&self, caller: &str, command: &str) -> Value {
        self.decide(caller, "shell:execute", json!({"command": command}))
    }

    fn verdict(&self, caller: &str, command: &str) -> String {
        self.shell(caller, command)["decision"].as_str().unwrap().to_owned()
    }

    fn asked(&self, command: &str) -> String {
        let asked = self.shell("agent-a", command);
        assert_eq!(asked["decision"], "REQUIRE_USER_CONFIRMATION", "{command}: {asked}");
        asked["confirmation"]["confirmationId"].as_str().unwrap().to_owned()
    }

    fn preview(&self, id: &str, wish: &Value) -> Reply {
        self.bench.with(&self.ana, "POST", &format!("/v1/approvals/{id}/rule"), Some(wish))
    }

    /// Looks and answers with what was shown.
    fn always(&self, id: &str, wish: &Value) -> Reply {
        let shown = self.preview(id, wish).json();
        let answer = if wish["deny"] == true { "no" } else { "yes" };
        let more = json!({"answer": answer, "reach": "always", "rule": wish, "preview": shown["digest"]});
        self.bench.answer(&self.ana, id, more)
    }

    fn rules(&self) -> Vec<Value> {
        self.bench.with(&self.ana, "GET", "/v1/rules", None).json()["rules"].as_array().unwrap().clone()
    }
}

#[test]
fn the_narrowest_rule_is_shown_saved_and_taken_back() {
    let desk = Desk::new(ASKS);
    desk.asked("gh run view 55555555 --log");
    let id = desk.asked("gh run view 81234567 --log");
    let shown = desk.preview(&id, &json!({})).json();
    assert_eq!(shown["rules"], json!(["shell(gh run view <int> --log)"]), "{shown}");
    assert_eq!(shown["offered"], true, "{shown}");
    assert_eq!(shown["example"], json!(["gh run view 1234567 --log"]));
    assert_eq!(shown["near_miss"], json!(["gh run view 1234567 --log --force"]));
    assert_eq!((&shown["past"]["covered"], &shown["past"]["asked"]), (&json!(1), &json!(1)), "{shown}");
    assert!(!desk.bench.path("rules.toml").exists(), "looking saves nothing");

    let saved = desk.always(&id, &json!({}));
    assert_eq!(saved.status, 200, "{saved:?}");
    let text = std::fs::read_to_string(desk.bench.path("rules.toml")).unwrap();
    assert!(text.contains("rule = \"shell(gh run view <int> --log)\""), "{text}");
    assert!(text.contains("caller = \"agent-a\"") && text.contains("project = \"/projects/p\""), "{text}");
    for (command, verdict) in [
        ("gh run view 99999999 --log", "ALLOW"),
        ("gh run view 99999999", "REQUIRE_USER_CONFIRMATION"),
        ("gh run rerun 81234567", "REQUIRE_USER_CONFIRMATION"),
        ("gh run view 81234567 --log --web", "REQUIRE_USER_CONFIRMATION"),
        ("gh run view 81234567 --log; touch x", "REQUIRE_USER_CONFIRMATION"),
        ("gh run view 81234567 --log > out", "REQUIRE_USER_CONFIRMATION"),
    ] {
        assert_eq!(desk.verdict("agent-a", command), verdict, "{command}");
    }
    assert_eq!(desk.verdict("agent-b", "gh run view 99999999 --log"), "REQUIRE_USER_CONFIRMATION");
    let pending = desk.bench.pending();
    assert!(pending.iter().any(|one| one["reason"].as_str().unwrap().contains("rule.scope")), "{pending:?}");

    let rules = desk.rules();
    let id = rules[0]["id"].as_str().unwrap();
    assert_eq!((rules.len(), &rules[0]["by"]), (1, &json!("ana")));
    let gone = desk.bench.with(&desk.ana, "POST", &format!("/v1/rules/{id}/revoke"), Some(&json!({})));
    assert_eq!(gone.status, 200, "{gone:?}");
    assert_eq!(desk.verdict("agent-a", "gh run view 99999999 --log"), "REQUIRE_USER_CONFIRMATION");
    assert!(desk.rules().is_empty());
    let records = desk.bench.local("GET", "/v1/records?kind=note", None).text;
    assert!(records.contains("approvals.rule_saved") && records.contains("approvals.rule_revoked"));
}

#[test]
fn what_was_shown_is_what_is_saved_and_a_person_saves_it() {
    let desk = Desk::new(ASKS);
    let id = desk.asked("cargo test --workspace");
    let path = format!("/v1/approvals/{id}/answer");
    let digest = desk.preview(&id, &json!({})).json()["digest"].clone();
    let other = json!({"rules": ["shell(cargo test *)"]});
    let swapped = json!({"reach": "always", "rule": other, "preview": digest});
    assert_eq!(desk.bench.answer(&desk.ana, &id, swapped).code(), "always.preview");
    let rule = json!({"answer": "yes", "reach": "always", "rule": {}, "preview": digest});
    let token_only = desk.bench.with(&desk.ana, "POST", &path, Some(&rule));
    assert_eq!(token_only.code(), "grant.presence");
    assert_eq!(desk.bench.local("POST", &path, Some(&rule.to_string())).code(), "grant.presence");
    assert_eq!(desk.bench.answer(&desk.ana, &id, json!({"reach": "always"})).code(), "always.rule");
    assert!(desk.rules().is_empty());
    assert_eq!(desk.bench.pending().len(), 1, "still open");

    for (rules, code) in [
        (json!(["shell(*)"]), "always.too_wide"),
        (json!(["shell(cargo *)"]), "always.too_wide"),
        (json!(["Bash"]), "always.too_wide"),
        (json!(["shell(cargo run)"]), "always.uncovered"),
    ] {
        let wish = json!({"rules": rules});
        let shown = desk.preview(&id, &wish).json();
        assert_eq!((&shown["offered"], &shown["why_not"]), (&json!(false), &json!(code)), "{shown}");
        assert_eq!(desk.always(&id, &wish).code(), code);
    }
    for broken in ["shell(cargo", "shell(ls*)", "nonsense(x)"] {
        assert_eq!(desk.preview(&id, &json!({"rules": [broken]})).code(), "always.rule", "{broken}");
    }
    let edited = json!({"rules": ["shell(cargo test *)"], "scope": "session", "lasts": "1h"});
    let shown = desk.preview(&id, &edited).json();
    assert_eq!(
        (&shown["offered"], &shown["reach"]),
        (&json!(true), &json!(["any_further_words"])),
        "{shown}"
    );
    assert_eq!(desk.always(&id, &edited).status, 200);
    assert_eq!(desk.verdict("agent-a", "cargo test -p x"), "ALLOW");
    assert!(desk.rules()[0]["until"].is_string());
}

#[test]
fn strict_reasons_have_no_always() {
    let desk = Desk::new("[confirm]\npolicy = { kind = 'AlwaysConfirm' }\n");
    let id = desk.asked("git push --force origin main");
    let shown = desk.preview(&id, &json!({})).json();
    if shown["why_not"] == "level.CRITICAL" {
        let answered = desk.bench.answer(
            &desk.ana,
            &id,
            json!({"reach": "always", "rule": {}, "preview": shown["digest"], "typed": "I confirm"}),
        );
        assert_eq!(answered.code(), "always.strict");
    }
    // What a policy asks about isn't settled by an allow rule, and that is said.
    let desk = Desk::new("");
    let policy = "@id(\"all\") permit(principal, action, resource);\n@id(\"asks\") @confirm(\"click\") \
        forbid(principal, action, resource) unless { context has approval };\n";
    std::fs::write(desk.bench.path("p.cedar"), policy).unwrap();
    let file = desk.bench.path("p.cedar").display().to_string();
    desk.bench.settings(&format!("[policy]\npacks = []\nfiles = ['{file}']\n"));
    let id = desk.asked("cargo test");
    let shown = desk.preview(&id, &json!({})).json();
    assert_eq!((&shown["offered"], &shown["why_not"]), (&json!(false), &json!("always.asked")), "{shown}");
}

#[test]
fn never_denies_and_beats_always() {
    let desk = Desk::new(ASKS);
    let id = desk.asked("npm publish");
    assert_eq!(desk.always(&id, &json!({"scope": "user"})).status, 200);
    assert_eq!(desk.verdict("agent-b", "npm publish"), "ALLOW");
    let id = desk.asked("npm whoami");
    let never = json!({"deny": true, "rules": ["shell(npm *)"], "scope": "user", "lasts": "none"});
    let answered = desk.always(&id, &never);
    assert_eq!((answered.status, &answered.json()["state"]), (200, &json!("denied")), "{answered:?}");
    assert_eq!(desk.verdict("agent-b", "npm publish"), "DENY", "whatever order they were saved in");
    let rule = desk.rules().into_iter().find(|rule| rule["list"] == "deny").unwrap();
    let path = format!("/v1/rules/{}/revoke", rule["id"].as_str().unwrap());
    assert_eq!(desk.bench.with(&desk.ana, "POST", &path, Some(&json!({}))).code(), "grant.presence");
    let person = json!({"passphrase": PASSPHRASE});
    assert_eq!(desk.bench.with(&desk.ana, "POST", &path, Some(&person)).status, 200);
    assert_eq!(desk.verdict("agent-b", "npm publish"), "ALLOW");
}

#[test]
fn a_broken_file_keeps_the_last_good_set_and_is_not_overwritten() {
    let desk = Desk::new(ASKS);
    let id = desk.asked("cargo test");
    assert_eq!(desk.always(&id, &json!({})).status, 200);
    assert_eq!(desk.verdict("agent-a", "cargo test"), "ALLOW");
    let good = std::fs::read_to_string(desk.bench.path("rules.toml")).unwrap();
    // An edit by anybody else is in force within a second.
    let edit = |text: &str| {
        std::fs::write(desk.bench.path("rules.toml"), text).unwrap();
        std::thread::sleep(Duration::from_secs(1));
    };
    edit(&format!("{good}\n[[rules.allow]\n"));
    assert_eq!(desk.verdict("agent-a", "cargo test"), "ALLOW", "the last good set stays");
    assert_eq!(desk.bench.local("GET", "/healthz", None).status, 503, "and it is told");
    let id = desk.asked("cargo doc");
    let shown = desk.preview(&id, &json!({})).json();
    let more = json!({"reach": "always", "rule": {}, "preview": shown["digest"]});
    let refused = desk.bench.answer(&desk.ana, &id, more);
    assert_ne!(refused.status, 200, "{refused:?}");
    let left = std::fs::read_to_string(desk.bench.path("rules.toml")).unwrap();
    assert!(left.ends_with("[[rules.allow]\n"), "nothing was written over it");
    edit(&good);
    assert_eq!(desk.bench.local("GET", "/healthz", None).status, 200);
}
