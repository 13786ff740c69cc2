//! Calls as joined rows, rules in force with their week, rules that are tried and saved, the guardian's model.

use crate::support::{Bench, PASSPHRASE};
use doorward::rooms::store::Role;
use serde_json::{Value, json};

const ASKS: &str =
    "[rules]\nallow = ['shell(ls -l)']\nask = ['shell(cargo doc)']\ndeny = ['shell(npm publish)']\n";

fn decide(bench: &Bench, command: &str, project: &str) -> Value {
    let body = json!({
        "principal": {"id": "agent-a"}, "action": "tool:execute",
        "resource": {"type": "tool", "name": "shell:execute", "attributes": {"args": {"command": command}}},
        "context": {"cwd": project, "session_id": "s"},
    });
    bench.local("POST", "/v1/decide", Some(&body.to_string())).json()
}

fn calls(bench: &Bench, query: &str) -> Vec<Value> {
    let found = bench.local("GET", &format!("/v1/calls{query}"), None);
    assert_eq!(found.status, 200, "{found:?}");
    found.json()["calls"].as_array().unwrap().clone()
}

fn commands(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["args"]["command"].as_str().unwrap()).collect()
}

#[test]
fn a_call_is_one_row_with_its_effects_its_answer_and_its_outcome() {
    let bench = Bench::new(ASKS);
    let ana = bench.account("ana", Role::Approver, &[]);
    let allowed = decide(&bench, "ls -l", "/projects/one");
    let report = json!({"outcome": "ran"}).to_string();
    let id = allowed["record_id"].as_str().unwrap();
    assert_eq!(bench.local("POST", &format!("/v1/decisions/{id}/outcome"), Some(&report)).status, 200);
    let asked = decide(&bench, "cargo doc", "/projects/two");
    let question = asked["confirmation"]["confirmationId"].as_str().unwrap();
    assert_eq!(bench.answer(&ana, question, json!({"answer": "no"})).status, 200);
    decide(&bench, "npm publish", "/projects/two");
    let encoded = decide(&bench, "echo cm0gLXJmIC4vc3Jj | base64 -d | sh", "/projects/two");
    assert_ne!(encoded["decision"], "ALLOW");

    let rows = calls(&bench, "");
    assert_eq!(rows.len(), 4, "a row a call");
    let [decoded, denied, refused, ran] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!(
        ran["life"].as_array().unwrap().iter().map(|step| &step["outcome"]).next_back(),
        Some(&json!("ran"))
    );
    let ended: Vec<&Value> = refused["life"].as_array().unwrap().iter().map(|step| &step["event"]).collect();
    assert_eq!(ended, [&json!("asked"), &json!("answered")]);
    assert_eq!(refused["life"][1]["decision"], "denied");
    assert_eq!((&denied["verdict"], &denied["life"]), (&json!("DENY"), &json!([])));
    assert_eq!(ran["project"], "/projects/one");
    let runs = decoded["effects"]["runs"].as_array().unwrap();
    assert!(runs.contains(&json!("rm -rf ./src")), "what is encoded is told decoded: {runs:?}");
    assert_eq!(decoded["effects"]["touches"][0]["how"], "deletes");

    assert_eq!(commands(&calls(&bench, "?project=/projects/one")), ["ls -l"]);
    assert_eq!(commands(&calls(&bench, "?verdict=DENY")), ["npm publish"]);
    assert_eq!(commands(&calls(&bench, "?rule=rule.ask.0")), ["cargo doc"]);
    assert!(calls(&bench, "?project=/projects").is_empty(), "a project is named whole");
    let first = bench.local("GET", "/v1/calls?limit=3", None).json();
    let next = first["next"].as_u64().unwrap();
    assert_eq!(commands(&calls(&bench, &format!("?limit=3&before={next}"))), ["ls -l"], "the next page");
    assert_eq!(bench.local("GET", "/v1/calls?colour=red", None).status, 400);
}

#[test]
fn rules_in_force_are_listed_with_the_packs_and_their_week() {
    let bench = Bench::new(ASKS);
    decide(&bench, "ls -l", "/projects/p");
    decide(&bench, "cargo doc", "/projects/p");
    decide(&bench, "cargo doc", "/projects/p");
    decide(&bench, "psql -c 'DROP TABLE users'", "/projects/p");
    let found = bench.local("GET", "/v1/rules/in-force", None).json();
    let met = |key: &str, name: &str| {
        let rules = found["rules"].as_array().unwrap();
        let rule = rules.iter().find(|rule| rule[key] == name);
        rule.unwrap_or_else(|| panic!("{name} in {found}"))["n"].as_u64().unwrap()
    };
    assert_eq!((met("rule", "shell(ls -l)"), met("rule", "shell(cargo doc)")), (1, 2));
    assert_eq!((met("rule", "shell(npm publish)"), met("rule", "shell(npm publish *)")), (0, 0));
    assert_eq!(met("policy", "agent.data-loss.confirm"), 1, "the shipped pack is listed by policy");
    assert_eq!((&found["of"], &found["on_no_match"]), (&json!(4), &json!("mode")));
}

#[test]
fn a_rule_is_tried_on_the_week_and_saved_by_a_person_only() {
    let bench = Bench::new(ASKS);
    decide(&bench, "cargo fetch", "/projects/p");
    let draft = |verdict: &str, rule: &str| json!({"verdict": verdict, "rule": rule});
    let tried = |body: &Value| bench.local("POST", "/v1/rules/try", Some(&body.to_string())).json();
    let fits = tried(&draft("allow", "shell(cargo fetch)"));
    assert_eq!(
        (&fits["ok"], &fits["week"]["met"], &fits["too_wide"]),
        (&json!(true), &json!(1), &json!(false))
    );
    assert_eq!(tried(&draft("allow", "shell(cargo *)"))["too_wide"], true);
    assert_eq!(tried(&draft("deny", "shell(cargo *)"))["week"]["met"], 1);
    let broken = tried(&draft("allow", "shell(ls*)"));
    assert_eq!(broken["ok"], false);
    assert!(!broken["message"].as_str().unwrap().is_empty());

    let save = |body: Value| bench.local("POST", "/v1/rules", Some(&body.to_string()));
    let alone = save(draft("allow", "shell(cargo fetch)"));
    assert_eq!(
        (alone.status, alone.code().as_str()),
        (403, "grant.presence"),
        "a credential alone saves nothing"
    );
    let ana = bench.account("ana", Role::Approver, &[]);
    let with = |mut body: Value| {
        body["passphrase"] = json!(PASSPHRASE);
        bench.with(&ana, "POST", "/v1/rules", Some(&body))
    };
    for (verdict, rule, code) in [
        ("allow", "shell(cargo *)", "always.too_wide"),
        ("allow", "shell(ls*)", "policy.load"),
        ("never", "shell(ls)", "request.invalid"),
        ("allow", "a\nb", "request.invalid"),
    ] {
        let refused = with(draft(verdict, rule));
        assert_eq!((refused.status, refused.code().as_str()), (400, code), "{rule}");
    }
    assert_eq!(with(draft("allow", "shell(cargo fetch)")).status, 200);
    assert_eq!(decide(&bench, "cargo fetch", "/projects/p")["decision"], "ALLOW", "in force at once");
    let notes = bench.local("GET", "/v1/records?kind=note", None).text;
    assert!(notes.contains("ana saves allow shell(cargo fetch)"), "{notes}");
    assert_eq!(with(draft("deny", "shell(cargo fetch)")).status, 200);
    assert_eq!(decide(&bench, "cargo fetch", "/projects/p")["decision"], "DENY", "deny beats allow");
}

#[test]
fn the_guardians_model_is_an_admins_to_set_and_a_test_says_how_it_went() {
    let bench = Bench::new(ASKS);
    let test = || bench.local("POST", "/v1/guardian/test", Some("{}"));
    assert_eq!((test().status, test().code().as_str()), (409, "guardian.none"));
    let wanted = json!({"model": "openai-compatible/m", "base_url": "http://127.0.0.1:9/v1"});
    let alone = bench.local("POST", "/v1/guardian", Some(&wanted.to_string()));
    assert_eq!((alone.status, alone.code().as_str()), (403, "grant.presence"));
    let ana = bench.account("ana", Role::Admin, &[]);
    let set = |mut body: Value| {
        body["passphrase"] = json!(PASSPHRASE);
        bench.with(&ana, "POST", "/v1/guardian", Some(&body))
    };
    assert_eq!(set(wanted).status, 200);
    let settings = bench.local("GET", "/v1/settings", None).json();
    assert_eq!(settings["guardian"]["model"], "openai-compatible/m");
    let tried = test().json();
    assert_eq!(
        (&tried["ok"], &tried["model"]),
        (&json!(false), &json!("openai-compatible/m")),
        "nobody listens there"
    );
    assert_eq!(set(json!({"model": ""})).status, 200);
    assert_eq!(test().code(), "guardian.none", "taken out again");
    assert!(bench.local("GET", "/v1/settings", None).json()["guardian"]["base_url"].is_null());
}
