//! What a yes is bound to, row by row and over HTTP: a granted call, one thing changed, what the next attempt gives.
//!
//! The rows are `tests/data/approval_binding.jsonl`; with `DOORWARD_DATA` set, those of its `mcp` folder too. Rows on
//! pins, sealed request states, a client's own answers and upstream processes belong to the gateway and are counted as
//! left out; the key pressed in a dialog belongs to the browser tests.

use crate::support;
use crate::support::Bench;
use doorward::rooms::core::approval::Binding;
use doorward::rooms::core::finding::Severity;
use doorward::rooms::store::{AskState, GrantRequest, Redemption, Role};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};

/// What an attempt gave, with its reason.
type Outcome = (&'static str, String);

struct Row {
    id: String,
    change: Map<String, Value>,
    base: Value,
}

impl Row {
    fn has(&self, key: &str) -> bool {
        self.change.contains_key(key)
    }

    fn text(&self, key: &str) -> &str {
        self.change.get(key).and_then(Value::as_str).unwrap_or_default()
    }

    /// The call as approved, or as tried.
    fn call(&self, tried: bool) -> Value {
        let mut call = self.base.clone();
        for (key, value) in &self.change {
            let at = match key.split_once('.') {
                Some(("base", rest)) => rest,
                Some(("call", rest)) if tried => rest,
                _ => continue,
            };
            let mut place = &mut call;
            let mut parts: Vec<&str> = at.split('.').collect();
            let last = parts.pop().unwrap();
            for part in parts {
                place = &mut place[part];
            }
            let members = place.as_object_mut().unwrap();
            match value {
                Value::Null => drop(members.remove(last)),
                value => drop(members.insert(last.to_owned(), value.clone())),
            }
        }
        call
    }

    fn request(&self, tried: bool) -> String {
        let call = self.call(tried);
        let text = |key: &str| call[key].as_str().unwrap();
        let mut args = call["arguments"].to_string();
        // `"1.0 (raw)"` is the number as it is spelled.
        while let Some(end) = args.find(" (raw)\"") {
            let start = args[..end].rfind('"').unwrap();
            args = format!("{}{}{}", &args[..start], &args[start + 1..end], &args[end + " (raw)\"".len()..]);
        }
        if tried && let Some(raw) = self.change.get("raw").and_then(Value::as_str) {
            args = raw.to_owned();
        }
        let root = format!("/projects/{}", text("project"));
        format!(
            r#"{{"principal": {{"id": {}}}, "action": "tool:execute", "resource": {{"type": "tool", "name": "mcp:{}/{}",
            "attributes": {{"args": {args}}}}}, "context": {{"cwd": {}, "roots": [{}, {}], "session_id": {}}}}}"#,
            call["caller"],
            text("server"),
            text("tool"),
            call["cwd"],
            json!(root),
            call["cwd"],
            call["session"],
        )
    }
}

fn policy(severity: &str, confirm: &str, version: &str) -> String {
    let level = if confirm == "second_person" { 3 } else { 1 };
    let second = if level == 3 { " && context.approval.by != principal" } else { "" };
    format!(
        "@id(\"all\") permit(principal, action, resource);\n// {version}\n@id(\"fs-write\") @confirm(\"{confirm}\") \
         @severity(\"{severity}\") @reason(\"Writing is asked about.\") forbid(principal, action, resource)\n\
         unless {{ context has approval && context.approval.level >= {level}{second} }};\n"
    )
}

struct Try<'r> {
    row: &'r Row,
    bench: Bench,
    ana: String,
    bob: String,
    own: String,
}

impl<'r> Try<'r> {
    fn new(row: &'r Row) -> Self {
        let severity = if row.has("typed") || row.has("reasons") { "CRITICAL" } else { "HIGH" };
        let two = ["same principal", "one of two", "alice,alice"].contains(&row.text("approver"));
        let rules = row.has("always_rule");
        let bench =
            if row.change.get("approver") == Some(&Value::Null) { Bench::alone("") } else { Bench::new("") };
        let dir = bench.dir.path().display().to_string();
        let confirm = if two { "second_person" } else { "click" };
        std::fs::write(bench.path("p.cedar"), policy(severity, confirm, "p1")).unwrap();
        let short = row.change.get("answer") == Some(&Value::Null);
        let timeout = if short { 1 } else { 600 };
        bench.settings(&if rules {
            format!(
                "[policy]\npacks = []\n[confirm]\npolicy = {{ kind = 'AlwaysConfirm' }}\n[approvals]\ntimeout_s = {timeout}\n"
            )
        } else {
            format!("[policy]\npacks = []\nfiles = ['{dir}/p.cedar']\n[approvals]\ntimeout_s = {timeout}\n")
        });
        let account = |name: &str, needed: bool| {
            if needed { bench.account(name, Role::Approver, &[]) } else { String::new() }
        };
        let ana = account("ana", bench.broker.is_some());
        let bob = account("bob", two || !row.text("answer").is_empty());
        let own = account("agent-a", two);
        Self { row, bench, ana, bob, own }
    }

    fn decide(&self, tried: bool) -> support::Reply {
        self.bench.local("POST", "/v1/decide", Some(&self.row.request(tried)))
    }

    /// An attempt, in the words of the rows.
    fn attempt(&self, tried: bool) -> Outcome {
        let reply = self.decide(tried);
        if reply.status != 200 {
            return ("error", reply.code());
        }
        let decided = reply.json();
        let text = |key: &str| decided[key].as_str().unwrap_or_default().to_owned();
        match text("decision").as_str() {
            "ALLOW" => ("allowed", String::new()),
            "DENY" => ("denied", text("code")),
            _ => {
                let id = decided["confirmation"]["confirmationId"].as_str().unwrap();
                let shown = self.bench.local("GET", &format!("/v1/approvals/{id}"), None).json();
                let reason = shown["reason"].as_str().unwrap().to_owned();
                let named = reason.split("(asked again: ").nth(1).and_then(|rest| rest.split(')').next());
                ("ask", named.unwrap_or_default().to_owned())
            }
        }
    }

    fn ask(&self) -> String {
        let asked = self.decide(false).json();
        assert_eq!(asked["decision"], "REQUIRE_USER_CONFIRMATION", "{}: {asked}", self.row.id);
        asked["confirmation"]["confirmationId"].as_str().unwrap().to_owned()
    }

    fn approved(&self, more: Value) -> String {
        let id = self.ask();
        let answered = self.bench.answer(&self.ana, &id, more);
        assert_eq!(answered.status, 200, "{}: {answered:?}", self.row.id);
        id
    }

    fn binding(&self, id: &str) -> Binding {
        let record = self
            .bench
            .block_on(self.bench.store().ask_record(&id.into(), Timestamp::now()))
            .unwrap()
            .unwrap();
        record.ask.binding
    }

    /// Redeems as at another time, for another severity or by a nonce: what no caller can say over HTTP.
    fn redeem(&self, id: &str, after: i64, severity: Option<Severity>, nonce: Option<&str>) -> Outcome {
        let binding = self.binding(id);
        let wanted = GrantRequest { binding: &binding, severity, nonce };
        let now = Timestamp::now() + SignedDuration::from_secs(after);
        match self.bench.block_on(self.bench.store().redeem_grant(&wanted, now)).unwrap() {
            Redemption::Granted(_) => ("allowed", String::new()),
            Redemption::Differs(code) => ("ask", code.to_owned()),
            Redemption::None => ("ask", String::new()),
        }
    }

    fn always(&self, deny: bool) {
        let id = self.ask();
        let path = format!("/v1/approvals/{id}/rule");
        let preview = self.bench.with(&self.ana, "POST", &path, Some(&json!({"deny": deny})));
        assert_eq!(preview.json()["offered"], true, "{}: {preview:?}", self.row.id);
        let digest = preview.json()["digest"].clone();
        let answer = if deny { "no" } else { "yes" };
        let more = json!({"answer": answer, "reach": "always", "rule": {"deny": deny}, "preview": digest});
        let answered = self.bench.answer(&self.ana, &id, more);
        assert_eq!(answered.status, 200, "{answered:?}");
    }
}

/// Runs a row. `None`: it belongs elsewhere.
fn run(row: &Row) -> Option<Outcome> {
    let elsewhere = ["request_state", "pin", "upstream", "key_after_ms"];
    if elsewhere.iter().any(|key| row.has(key)) {
        return None;
    }
    let at = Try::new(row);
    let bench = &at.bench;
    let critical = |word: &str| if word == "CRITICAL" { Severity::Critical } else { Severity::Low };
    if row.has("always") {
        let id = at.ask();
        let preview = bench.with(&at.ana, "POST", &format!("/v1/approvals/{id}/rule"), Some(&json!({})));
        assert_eq!(preview.json()["offered"], false, "{preview:?}");
        let more =
            json!({"reach": "always", "rule": {}, "preview": preview.json()["digest"], "typed": "I confirm"});
        return Some(("refused", bench.answer(&at.ana, &id, more).code()));
    }
    if row.has("always_rule") {
        at.always(false);
        if row.has("deny_rule") {
            assert_eq!(at.attempt(false).0, "allowed", "the rule holds");
            let rules = "[policy]\npacks = []\n[confirm]\npolicy = { kind = 'AlwaysConfirm' }\n[rules]\ndeny = ['mcp(files/*)']\n";
            bench.settings(rules);
            let (outcome, code) = at.attempt(true);
            let own =
                ["rule.deny", "policy.forbid", "policy.deny"].iter().any(|known| code.starts_with(known));
            return Some((outcome, if own { "policy.deny".to_owned() } else { code }));
        }
        return Some(at.attempt(true));
    }
    if let Some(typed) = row.change.get("typed") {
        let answered = bench.answer(&at.ana, &at.ask(), json!({"typed": typed}));
        return Some(if answered.status == 200 { at.attempt(true) } else { ("refused", answered.code()) });
    }
    match row.text("approver") {
        "same principal" => {
            let answered = bench.answer(&at.own, &at.ask(), json!({}));
            return Some(("denied", answered.code()));
        }
        who @ ("one of two" | "alice,alice") => {
            let id = at.ask();
            for _ in 0..who.split(',').count() {
                assert_eq!(bench.answer(&at.ana, &id, json!({})).status, 202);
            }
            let state = bench.local("GET", &format!("/v1/approvals/{id}"), None).json()["state"].clone();
            assert_eq!(bench.answer(&at.bob, &id, json!({})).status, 200, "the second person settles it");
            return Some(if state == "pending" {
                ("pending", String::new())
            } else {
                ("allowed", String::new())
            });
        }
        _ => {}
    }
    if row.change.get("approver") == Some(&Value::Null) {
        return Some(at.attempt(false));
    }
    if let Some(answer) = row.change.get("answer") {
        let id = at.ask();
        let no = |more: Value| {
            let mut body = json!({"answer": "no", "passphrase": null});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            bench.with(&at.bob, "POST", &format!("/v1/approvals/{id}/answer"), Some(&body))
        };
        let wait = |seconds: u8| {
            let reply = bench.local("GET", &format!("/v1/approvals/{id}/wait?seconds={seconds}"), None);
            reply.json()["outcome"].as_str().unwrap().to_owned()
        };
        return Some(match answer.as_str() {
            None => {
                assert_eq!(wait(60), "timed_out");
                assert_eq!(bench.answer(&at.ana, &id, json!({})).status, 409, "too late");
                ("denied", "timed_out".to_owned())
            }
            Some("io error") => {
                bench.block_on(bench.store().close());
                let (outcome, code) = at.attempt(false);
                (outcome, code.replace("approval.error", "error"))
            }
            Some(late) if late.starts_with("yes at") => {
                assert_eq!(wait(0), "pending", "the caller goes away with a resumable denial");
                assert_eq!(bench.answer(&at.ana, &id, json!({})).status, 200);
                if row.text("retry") == "+2h" {
                    let (outcome, code) = at.redeem(&id, 7_200, None, None);
                    assert_eq!(outcome, "ask");
                    ("denied", code)
                } else {
                    at.attempt(true)
                }
            }
            Some("race") => {
                let (yes, no) = std::thread::scope(|scope| {
                    let yes = scope.spawn(|| bench.answer(&at.ana, &id, json!({})).status);
                    (no(json!({})).status, yes.join().unwrap())
                });
                let mut both = [yes, no];
                both.sort_unstable();
                assert_eq!(both, [200, 409], "the first answer wins, the second is told");
                ("first", String::new())
            }
            Some("yes,yes") => {
                for _ in 0..2 {
                    assert_eq!(bench.answer(&at.ana, &id, json!({})).status, 200);
                }
                let first = at.attempt(true);
                assert_eq!(at.attempt(true).0, "ask", "one use");
                first
            }
            Some(answer) => {
                assert_eq!(no(json!({"reason": "not today"})).status, 200);
                let word = if answer == "cancel" { "user.cancelled" } else { "user.declined" };
                assert_eq!(wait(0), "denied");
                ("denied", word.to_owned())
            }
        });
    }
    if row.has("kill") {
        let id = at.ask();
        let stop = json!({"scope": "all", "reason": "test"});
        assert_eq!(bench.with(&at.ana, "POST", "/v1/stops/new", Some(&stop)).status, 200);
        let shown = bench.local("GET", &format!("/v1/approvals/{id}"), None).json();
        assert_eq!(shown["state"], "denied");
        let (outcome, code) = at.attempt(true);
        assert_eq!(code, "kill_switch");
        return Some((outcome, shown["answer_reason"].as_str().unwrap().to_owned()));
    }
    if row.text("process") == "restart" {
        let granted = at.approved(json!({}));
        let id = at.ask_other();
        let Try { bench, .. } = at;
        let bench = bench.restarted();
        let state =
            |id: &str| bench.local("GET", &format!("/v1/approvals/{id}"), None).json()["state"].clone();
        assert_eq!(state(&granted), "allowed");
        let again = bench.local("POST", "/v1/decide", Some(&row.request(false))).json();
        assert_eq!(again["decision"], "ALLOW", "a grant outlives the process: {again}");
        assert_eq!(state(&id), "pending");
        return Some(("pending", String::new()));
    }
    if row.text("preview") == "differs" {
        let answered = bench.answer(&at.ana, &at.ask(), json!({"shown": "sha256:other"}));
        assert_eq!(answered.status, 409);
        return Some(("denied", answered.code()));
    }
    if row.text("client") == "no elicitation" {
        at.ask();
        return Some(("pending", String::new()));
    }
    // The plain ones: approved once, then tried with what changed.
    let id = at.approved(json!({}));
    if row.has("uses_before") {
        assert_eq!(at.attempt(false).0, "allowed");
    }
    if row.has("clock") {
        let seconds: i64 = row.text("clock").trim_end_matches('s').parse().unwrap();
        return Some(at.redeem(&id, seconds, None, None));
    }
    if row.has("level") {
        let (outcome, code) = at.redeem(&id, 0, Some(critical(row.text("level"))), None);
        return Some((outcome, code));
    }
    if row.has("grant.nonce") {
        let (outcome, code) = at.redeem(&id, 0, None, Some(row.text("grant.nonce")));
        assert_eq!(outcome, "ask");
        return Some(("denied", code));
    }
    if row.has("policy_version") {
        let mut text = policy("HIGH", "click", "p2");
        if row.text("policy_decision") == "deny" {
            text.push_str("@id(\"never\") forbid(principal, action, resource);\n");
        }
        std::fs::write(bench.path("p.cedar"), text).unwrap();
        bench.door.projects().look_again();
        let (outcome, code) = at.attempt(true);
        return Some((outcome, code.replace("policy.forbid", "policy.deny")));
    }
    let record =
        bench.block_on(bench.store().ask_record(&id.as_str().into(), Timestamp::now())).unwrap().unwrap();
    assert_eq!(record.state, AskState::Allowed);
    Some(at.attempt(true))
}

impl Try<'_> {
    /// A question about something else.
    fn ask_other(&self) -> String {
        let body = self.row.request(false).replace("write_text", "write_other");
        let asked = self.bench.local("POST", "/v1/decide", Some(&body)).json();
        asked["confirmation"]["confirmationId"].as_str().unwrap().to_owned()
    }
}

fn rows(text: &str) -> Vec<(Row, Value)> {
    let all: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let base = all.iter().find_map(|row| row.get("base").cloned()).unwrap();
    all.into_iter()
        .filter(|row| row.get("change").is_some())
        .map(|row| {
            let change = row["change"].as_object().unwrap().clone();
            (Row { id: row["id"].as_str().unwrap().to_owned(), change, base: base.clone() }, row)
        })
        .collect()
}

fn check(text: &str) {
    let (mut ran, mut left, mut wrong) = (0, Vec::new(), Vec::new());
    let rows = rows(text);
    // Each row has a service of its own: a few at once.
    let outcomes: Vec<Option<Outcome>> = std::thread::scope(|scope| {
        let parts: Vec<_> = rows.chunks(rows.len().div_ceil(4)).collect();
        let ran = parts
            .into_iter()
            .map(|part| scope.spawn(|| part.iter().map(|(row, _)| run(row)).collect::<Vec<_>>()));
        let ran: Vec<_> = ran.collect();
        ran.into_iter().flat_map(|one| one.join().unwrap()).collect()
    });
    for ((row, expected), outcome) in rows.iter().zip(outcomes) {
        let Some((outcome, reason)) = outcome else {
            left.push(row.id.clone());
            continue;
        };
        ran += 1;
        let wanted = expected["expect"].as_str().unwrap();
        let code = expected.get("reason").and_then(Value::as_str);
        let same = code.is_none_or(|code| code == reason || reason.replace("approval.", "grant.") == code);
        if outcome != wanted || !same {
            wrong.push(format!("{}: {outcome} {reason}; expected {wanted} {code:?}", row.id));
        }
    }
    eprintln!("{ran} rows, left to the gateway and the browser: {}", left.join(" "));
    assert!(wrong.is_empty(), "{} of {ran} rows:\n{}", wrong.len(), wrong.join("\n"));
    assert!(ran > 0);
}

#[test]
fn a_yes_is_bound_to_everything_it_was_given_for() {
    check(include_str!("data/approval_binding.jsonl"));
}

#[test]
fn rows_from_outside_hold_too() {
    let Some(file) = doorward_needs::data!("mcp/approval_binding.jsonl") else { return };
    check(&std::fs::read_to_string(file).unwrap());
}
