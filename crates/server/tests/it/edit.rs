//! Editing a question's arguments: judged anew, asked anew, and the yes fits the edited call and no other.

use crate::support::{Bench, Reply};
use doorward::rooms::store::Role;
use serde_json::{Value, json};

const ASKS: &str = "[policy]\npacks = []\n[confirm]\npolicy = { kind = 'AlwaysConfirm' }\n[rules]\nallow = ['shell(ls -l)']\ndeny = ['shell(npm publish)']\n";

fn decide(bench: &Bench, args: &str) -> Value {
    decide_of(bench, "shell:execute", args)
}

fn decide_of(bench: &Bench, tool: &str, args: &str) -> Value {
    let body = format!(
        r#"{{"principal": {{"id": "agent-a"}}, "action": "tool:execute", "resource": {{"type": "tool", "name": "{tool}",
        "attributes": {{"args": {args}}}}}, "context": {{"cwd": "/projects/p", "session_id": "s"}}}}"#
    );
    bench.local("POST", "/v1/decide", Some(&body)).json()
}

fn ask(bench: &Bench, command: &str) -> (String, Value) {
    let asked = decide(bench, &json!({"command": command}).to_string());
    let id = asked["confirmation"]["confirmationId"].as_str().unwrap_or_else(|| panic!("{asked}")).to_owned();
    let shown = bench.local("GET", &format!("/v1/approvals/{id}"), None).json();
    (id, shown)
}

fn edit(bench: &Bench, token: &str, id: &str, shown: &Value, args: &str) -> Reply {
    let body = json!({"args": args, "shown": shown["shown"]});
    bench.with(token, "POST", &format!("/v1/approvals/{id}/edit"), Some(&body))
}

#[test]
fn an_edited_call_is_a_question_of_its_own() {
    let bench = Bench::new(ASKS);
    let ana = bench.account("ana", Role::Approver, &[]);
    let (first, shown) = ask(&bench, "npm install left-pad");
    let edited =
        edit(&bench, &ana, &first, &shown, r#"{"command": "npm install left-pad --ignore-scripts"}"#);
    assert_eq!(edited.status, 202, "{edited:?}");
    let edited = edited.json();
    let second = edited["id"].as_str().unwrap();
    assert_ne!(second, first);
    assert_ne!(edited["shown"], shown["shown"]);
    assert_eq!(bench.pending().len(), 2, "the first stays open until the edited one is answered");
    let answered = bench.answer(&ana, second, json!({"instead_of": first, "shown": edited["shown"]}));
    assert_eq!(answered.json()["state"], "allowed", "{answered:?}");
    let waited = bench.local("GET", &format!("/v1/approvals/{first}/wait?seconds=1"), None).json();
    assert_eq!(waited["outcome"], "denied");
    let told = waited["reason"].as_str().unwrap();
    assert!(told.contains("Make this call instead") && told.contains("--ignore-scripts"), "{told}");
    // The yes is to the edited call.
    assert_eq!(
        decide(&bench, r#"{"command": "npm install left-pad"}"#)["decision"],
        "REQUIRE_USER_CONFIRMATION"
    );
    let own = r#"{"command": "npm install left-pad --ignore-scripts"}"#;
    assert_eq!(decide(&bench, own)["decision"], "ALLOW");
    assert_eq!(decide(&bench, own)["decision"], "REQUIRE_USER_CONFIRMATION", "once");
    let records = bench.local("GET", "/v1/records?kind=note", None).text;
    assert!(records.contains("approvals.edited"), "{records}");
}

#[test]
fn what_the_rules_settle_needs_no_second_question() {
    let bench = Bench::new(ASKS);
    let ana = bench.account("ana", Role::Approver, &[]);
    let (first, shown) = ask(&bench, "npm install left-pad");
    let passes = edit(&bench, &ana, &first, &shown, r#"{"command": "ls -l"}"#);
    assert_eq!((passes.status, &passes.json()["passes"]), (200, &json!(true)), "{passes:?}");
    assert!(bench.pending().is_empty());
    let (first, shown) = ask(&bench, "npm whoami");
    let denied = edit(&bench, &ana, &first, &shown, r#"{"command": "npm publish"}"#);
    assert_eq!((denied.status, denied.code().as_str()), (409, "edit.denied"), "{denied:?}");
    assert_eq!(bench.pending().len(), 1, "nothing changed");
}

#[test]
fn what_cannot_be_edited_says_so() {
    let bench = Bench::new(ASKS);
    let ana = bench.account("ana", Role::Approver, &[]);
    let vic = bench.account("vic", Role::Viewer, &[]);
    let (id, shown) = ask(&bench, "npm whoami");
    assert_eq!(edit(&bench, &vic, &id, &shown, r#"{"command": "ls"}"#).status, 403);
    assert_eq!(
        edit(&bench, &ana, &id, &json!({"shown": "sha256:other"}), r#"{"command": "ls"}"#).code(),
        "grant.preview"
    );
    for (args, code) in [
        (r#"{"command": "npm whoami"}"#, "edit.same"),
        (r#"{"command": "curl -H '[secret:x, 3 characters]'"}"#, "edit.secret"),
        ("[]", "edit.arguments"),
        (r#"{"a": 1, "a": 2}"#, "json.duplicate_key"),
        ("{", "json.syntax"),
    ] {
        assert_eq!(edit(&bench, &ana, &id, &shown, args).code(), code, "{args}");
    }
    // A yes can't answer a question with no that isn't there.
    let body = json!({"instead_of": "01JUNKNOWN"});
    assert_eq!(bench.answer(&ana, &id, body).status, 404);
    assert_eq!(bench.pending().len(), 1);
}

#[test]
fn numbers_are_shown_exactly_and_secrets_by_kind_and_length() {
    let bench = Bench::new(ASKS);
    let key = ["AKIA", "IOSFODNN7EXAMPLE"].concat();
    let args = format!(
        r#"{{"command": "npm run x", "id": 9007199254740993, "long": 12345678901234567890.123456789012345678901,
        "headers": {{"Authorization": "Bearer {key}"}}}}"#
    );
    // A tool of the caller's own, whose arguments nobody knows better.
    let asked = decide_of(&bench, "acme:deploy", &args);
    let id = asked["confirmation"]["confirmationId"].as_str().unwrap_or_else(|| panic!("{asked}"));
    let reply = bench.local("GET", &format!("/v1/approvals/{id}"), None);
    assert!(reply.text.contains("9007199254740993"));
    let shown = reply.json();
    let text = shown["args_text"].as_str().unwrap_or_else(|| panic!("{}", reply.text));
    assert!(text.contains("12345678901234567890.123456789012345678901"));
    assert!(!reply.text.contains(&key), "{}", reply.text);
    assert!(reply.text.contains("[secret:") && reply.text.contains("20 characters]"), "{}", reply.text);
}
