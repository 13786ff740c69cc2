//! AuthZEN over HTTP: the rows of `tests/data/authzen.jsonl` (and of `DOORWARD_DATA`), and the way of an access request.

use crate::support::{Bench, Reply};
use doorward::rooms::store::Role;
use serde_json::{Value, json};

/// A service with the rows' policies and directory, and a caller's token.
fn service(fixture: &str, more: &str) -> (Bench, String) {
    let fixture: Value = serde_json::from_str(fixture).unwrap();
    let bench = Bench::new("");
    std::fs::write(bench.path("az.cedar"), fixture["policies"].as_str().unwrap()).unwrap();
    std::fs::write(bench.path("directory.json"), fixture["directory"].to_string()).unwrap();
    let dir = bench.dir.path().display().to_string();
    bench.settings(&format!(
        "[policy]\npacks = []\nfiles = ['{dir}/az.cedar']\n[authzen]\ndirectory = '{dir}/directory.json'\n{more}"
    ));
    let token = bench.account("pep", Role::Agent, &[]);
    (bench, token)
}

fn send(bench: &Bench, token: &str, row: &Value) -> Reply {
    let bearer = format!("Bearer {token}");
    let mut headers: Vec<(&str, &str)> = vec![("authorization", &bearer)];
    if let Some(own) = row.get("headers").and_then(Value::as_object) {
        headers.extend(own.iter().map(|(name, value)| (name.as_str(), value.as_str().unwrap())));
    }
    let body = match (row.get("body"), row.get("body_text")) {
        (Some(body), _) => Some(body.to_string()),
        (None, Some(text)) => Some(text.as_str().unwrap().to_owned()),
        (None, None) => None,
    };
    bench.port(row["method"].as_str().unwrap(), row["path"].as_str().unwrap(), &headers, body.as_deref())
}

fn contains(have: &Value, want: &Value) -> bool {
    match (have, want) {
        (Value::Object(have), Value::Object(want)) => {
            want.iter().all(|(key, want)| have.get(key).is_some_and(|have| contains(have, want)))
        }
        _ => have == want,
    }
}

fn dotted<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(value, |value, key| value.get(key))
}

fn fault(row: &Value, reply: &Reply) -> Option<String> {
    let expect = &row["expect"];
    if Some(u64::from(reply.status)) != expect["status"].as_u64() {
        return Some(format!("status {}", reply.status));
    }
    if expect["status"] != 200 {
        return None;
    }
    let body = reply.json();
    if let Some(want) = expect.get("json")
        && !contains(&body, want)
    {
        return Some(format!("{body}"));
    }
    if let Some(want) = expect.get("decisions") {
        let got: Value =
            body["evaluations"].as_array().unwrap().iter().map(|one| one["decision"].clone()).collect();
        if got != *want {
            return Some(format!("decisions {got}"));
        }
    }
    if let Some(include) = expect.get("results_include") {
        let got = body["results"].as_array().unwrap();
        if !include.as_array().unwrap().iter().all(|want| got.contains(want)) {
            return Some(format!("results {got:?}"));
        }
        if expect.get("results_exact").is_some_and(|exact| exact.as_array().unwrap().len() != got.len()) {
            return Some(format!("more results: {got:?}"));
        }
    }
    for (name, value) in expect.get("headers").and_then(Value::as_object).into_iter().flatten() {
        if reply.header(&name.to_lowercase()) != value.as_str() {
            return Some(format!("header {name}"));
        }
    }
    let paths = |key: &str| -> Vec<String> {
        let all = expect.get(key).and_then(Value::as_array);
        all.into_iter().flatten().map(|path| path.as_str().unwrap().to_owned()).collect()
    };
    let missing = paths("has").into_iter().find(|path| dotted(&body, path).is_none());
    let present = paths("absent").into_iter().find(|path| dotted(&body, path).is_some());
    missing.or(present).map(|path| format!("{path} in {body}"))
}

fn check(rows: &str, fixture: &str) {
    let (bench, token) = service(fixture, "");
    let mut wrong = Vec::new();
    let mut ran = 0;
    for line in rows.lines().filter(|line| !line.trim().is_empty()) {
        let row: Value = serde_json::from_str(line).unwrap();
        for _ in 0..row["expect"]["repeat"].as_u64().unwrap_or(1) {
            let reply = send(&bench, &token, &row);
            wrong.extend(fault(&row, &reply).map(|why| format!("{} {}: {why}", row["id"], row["note"])));
        }
        ran += 1;
    }
    assert!(bench.pending().is_empty(), "evaluating asks nobody");
    assert!(wrong.is_empty(), "{} of {ran}:\n{}", wrong.len(), wrong.join("\n"));
}

const FIXTURE: &str = include_str!("data/authzen_fixture.json");

#[test]
fn every_level_of_the_scenario() {
    check(include_str!("data/authzen.jsonl"), FIXTURE);
}

#[test]
fn rows_from_outside_hold_too() {
    let Some(folder) = doorward_needs::data!("policy") else { return };
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    check(&read("authzen.jsonl"), &read("authzen_fixture.json"));
}

/// A caller, an approver, and the question both are about.
struct Flow {
    bench: Bench,
    pep: String,
    ana: String,
}

impl Flow {
    fn new(more: &str) -> Self {
        let (bench, pep) = service(FIXTURE, more);
        let ana = bench.account("ana", Role::Approver, &[]);
        Self { bench, pep, ana }
    }

    fn question(user: &str, command: &str) -> Value {
        json!({
            "subject": {"type": "user", "id": user, "properties": {"groups": ["editor"]}},
            "action": {"name": "tool:execute"},
            "resource": {"type": "tool", "id": "shell:execute", "properties": {"args": {"command": command}}},
        })
    }

    fn evaluate(&self, question: &Value, approval: Option<&Value>) -> Value {
        let mut question = question.clone();
        if let Some(approval) = approval {
            question["context"] = json!({"approval": approval});
        }
        self.bench.with(&self.pep, "POST", "/access/v1/evaluation", Some(&question)).json()
    }

    fn request(&self, question: &Value, evaluation: &Value, key: Option<&str>) -> Reply {
        let mut body = question.clone();
        body["denial"] = json!({"evaluation_id": evaluation});
        let bearer = format!("Bearer {}", self.pep);
        let mut headers = vec![("authorization", bearer.as_str())];
        headers.extend(key.map(|key| ("idempotency-key", key)));
        self.bench.port("POST", "/access/v1/requests", &headers, Some(&body.to_string()))
    }

    /// Evaluated, requested: the task's id and the question's.
    fn requested(&self, question: &Value) -> (String, String) {
        let denied = self.evaluate(question, None);
        assert_eq!(denied["decision"], false, "{denied}");
        let made = self.request(question, &denied["context"]["evaluation_id"], None);
        assert_eq!(made.status, 202, "{made:?}");
        let task = made.json()["task"]["id"].as_str().unwrap().to_owned();
        let id = task.strip_prefix("task_").unwrap().to_owned();
        (task, id)
    }

    fn task(&self, task: &str) -> Value {
        let path = format!("/access/v1/requests/{task}");
        self.bench.with(&self.pep, "GET", &path, None).json()["task"].clone()
    }

    /// The same, approved: with the approval.
    fn approved(&self, question: &Value) -> Value {
        let (task, id) = self.requested(question);
        assert_eq!(self.task(&task)["status"], "pending");
        assert_eq!(self.bench.answer(&self.ana, &id, json!({})).status, 200);
        let task = self.task(&task);
        assert_eq!((&task["status"], &task["result"]["mode"]), (&json!("approved"), &json!("reevaluate")));
        task["result"]["approval"].clone()
    }
}

fn kind(reply: &Reply) -> String {
    let kind = reply.json()["type"].as_str().unwrap_or_default().to_owned();
    kind.strip_prefix("urn:openid:authzen:access-request:error:").unwrap_or(&kind).to_owned()
}

#[test]
fn an_approval_is_good_for_the_identical_question_once() {
    let flow = Flow::new("");
    let ls = Flow::question("user-123", "ls");
    let approval = flow.approved(&ls);
    let allowed = flow.evaluate(&ls, Some(&approval));
    assert_eq!(allowed["decision"], true, "{allowed}");
    assert!(allowed["context"]["obligations"].to_string().contains("log_output"), "{allowed}");
    let again = flow.evaluate(&ls, Some(&approval));
    assert_eq!((&again["decision"], &again["context"]["next_action"]), (&json!(false), &json!("request")));

    let approval = flow.approved(&ls);
    let other = flow.evaluate(&Flow::question("user-123", "ls /etc"), Some(&approval));
    let context = &other["context"];
    assert_eq!((&context["reason"], &context["next_action"]), (&json!("out_of_scope"), &json!("request")));
    assert!(context["access_request"]["expires_at"].is_string(), "{other}");
    let stranger = flow.evaluate(&Flow::question("user-124", "ls"), Some(&approval));
    let context = &stranger["context"];
    assert_eq!(
        (&context["reason"], &context["next_action"]),
        (&json!("approval_unverifiable"), &json!("none"))
    );
}

#[test]
fn an_approval_ends() {
    let flow = Flow::new("[approvals]\ngrant_s = 1\n");
    let ls = Flow::question("user-123", "ls");
    let approval = flow.approved(&ls);
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    let late = flow.evaluate(&ls, Some(&approval));
    let context = &late["context"];
    assert_eq!(
        (&context["reason"], &context["next_action"]),
        (&json!("approval_expired"), &json!("request"))
    );
}

#[test]
fn what_is_requested_is_what_was_denied() {
    let flow = Flow::new("");
    let ls = Flow::question("user-123", "ls");
    let denied = flow.evaluate(&ls, None);
    let id = &denied["context"]["evaluation_id"];
    let other = flow.request(&Flow::question("user-123", "ls /etc"), id, None);
    assert_eq!((other.status, kind(&other).as_str()), (400, "invalid_denial_binding"));
    let forged = flow.request(&ls, &json!("01J0000000000000000000000A"), None);
    assert_eq!(kind(&forged), "invalid_denial_binding");
    let write = json!({
        "subject": ls["subject"], "action": ls["action"],
        "resource": {"type": "tool", "id": "fs:write", "properties": {"args": {"path": "/workspace/a"}}},
    });
    let never = flow.evaluate(&write, None);
    assert_eq!(kind(&flow.request(&write, &never["context"]["evaluation_id"], None)), "not_requestable");
}

#[test]
fn a_denial_can_be_asked_about_for_a_while() {
    let flow = Flow::new("[approvals]\ntimeout_s = 1\n");
    let ls = Flow::question("user-123", "ls");
    let denied = flow.evaluate(&ls, None);
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    let late = flow.request(&ls, &denied["context"]["evaluation_id"], None);
    assert_eq!(kind(&late), "expired_denial");
}

#[test]
fn a_request_is_made_once_cancelled_denied_and_outlives_a_restart() {
    let flow = Flow::new("");
    let ls = Flow::question("user-123", "ls");
    let id = flow.evaluate(&ls, None)["context"]["evaluation_id"].clone();
    let first = flow.request(&ls, &id, Some("k")).json()["task"]["id"].clone();
    assert_eq!(flow.request(&ls, &id, Some("k")).json()["task"]["id"], first, "the same request");
    let mut longer = ls.clone();
    longer["context"] = json!({"note": "another"});
    let other = flow.request(&longer, &id, Some("k"));
    assert_eq!((other.status, kind(&other).as_str()), (409, "duplicate_request"));
    assert_eq!(flow.bench.pending().len(), 1);

    let path = format!("/access/v1/requests/{}/cancel", first.as_str().unwrap());
    let cancelled = flow.bench.with(&flow.pep, "POST", &path, None);
    assert_eq!(cancelled.json()["task"]["status"], "cancelled", "{cancelled:?}");
    let twice = flow.bench.with(&flow.pep, "POST", &path, None);
    assert_eq!((twice.status, kind(&twice).as_str()), (409, "invalid_task_state"));
    let ask = first.as_str().unwrap().strip_prefix("task_").unwrap();
    assert_eq!(flow.bench.answer(&flow.ana, ask, json!({})).status, 409, "the task is over");

    let (task, ask) = flow.requested(&ls);
    assert_eq!(flow.bench.answer(&flow.ana, &ask, json!({"answer": "no"})).status, 200);
    let denied = flow.task(&task);
    assert_eq!((&denied["status"], denied.get("result")), (&json!("denied"), None));

    let (task, ask) = flow.requested(&ls);
    let Flow { bench, pep, ana } = flow;
    let flow = Flow { bench: bench.restarted(), pep, ana };
    assert_eq!(flow.task(&task)["status"], "pending");
    assert_eq!(flow.bench.answer(&flow.ana, &ask, json!({})).status, 200);
    let approval = flow.task(&task)["result"]["approval"].clone();
    assert_eq!(flow.evaluate(&ls, Some(&approval))["decision"], true);
    let unknown = flow.bench.with(&flow.pep, "GET", "/access/v1/requests/task_0", None);
    assert_eq!((unknown.status, kind(&unknown).as_str()), (404, "unknown_task"));
}
