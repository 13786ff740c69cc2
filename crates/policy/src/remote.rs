//! Reads the answers of remote policy engines: three contracts, one interpretation, fail closed.
//!
//! [`interpret`] is a pure function from a response to a decision; only a contract's exact words permit anything. The
//! caller does the I/O; [`Breaker`] says when not to ask. [`combine`] joins the remote and the local decision: the
//! stricter wins.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use doorward_core::decision::{Confirm, Obligation, PolicyDecision, Verdict};
use doorward_core::json::{Limits, Object, Value};
use doorward_settings::RemoteKind;
use jiff::Timestamp;

use crate::cedar::obligation;
use crate::request::SeedRequest;

/// The code if no policy decided.
pub(crate) const NO_PERMIT: &str = "policy.no_permit";

/// Longest body that is read, in bytes.
pub const MAX_BODY: usize = 1024 * 1024;

/// The result of asking a remote engine.
#[derive(Debug, Clone, Copy)]
pub enum Answer<'a> {
    /// An HTTP response.
    Response {
        /// Status.
        status: u16,
        /// Header names in lower case.
        headers: &'a [(String, String)],
        /// Body; needn't be read beyond [`MAX_BODY`].
        body: &'a [u8],
    },
    /// No response before the deadline.
    TimedOut,
    /// The connection failed, or ended within the body.
    Broken,
    /// The breaker is open, so the engine wasn't asked.
    Open,
}

/// The decision for an answer. `sent_id`: the `X-Request-ID` of the request.
pub fn interpret(kind: RemoteKind, answer: Answer<'_>, sent_id: &str, now: Timestamp) -> PolicyDecision {
    let (status, headers, body) = match answer {
        Answer::TimedOut => {
            return PolicyDecision::deny("remote.timeout", "the policy engine didn't answer in time");
        }
        Answer::Broken => {
            return PolicyDecision::deny("remote.transport", "the policy engine can't be reached");
        }
        Answer::Open => {
            return PolicyDecision::deny(
                "remote.transport",
                "the policy engine failed repeatedly and isn't asked",
            );
        }
        Answer::Response { status, headers, body } => (status, headers, body),
    };
    let header = |name: &str| {
        headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    };
    if status != 200 {
        return PolicyDecision::deny(
            "remote.status",
            format!("the policy engine answered with status {status}"),
        );
    }
    if body.len() > MAX_BODY {
        return PolicyDecision::deny("remote.too_large", "the policy engine's answer is longer than 1 MiB");
    }
    let json = header("content-type").is_some_and(|kind| {
        kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
    });
    if !json {
        return malformed("isn't application/json");
    }
    if header("x-request-id").is_some_and(|id| id != sent_id) {
        return malformed("belongs to another request");
    }
    let Ok(value) = Value::parse_bytes(body, Limits { bytes: MAX_BODY, ..Limits::default() }) else {
        return malformed("can't be read");
    };
    let Some(object) = value.as_object() else { return malformed("isn't an object") };
    match kind {
        RemoteKind::Seed => seed(object),
        RemoteKind::Authzen => authzen(object, now),
        RemoteKind::Opa => match object.get("result") {
            None => PolicyDecision::deny("remote.undefined", "the rule is undefined for this call"),
            Some(Value::Bool(true)) => permit(String::new(), Vec::new()),
            Some(Value::Bool(false)) => PolicyDecision::deny("remote.forbid", "the rule is false"),
            Some(Value::Object(result)) => seed(result),
            Some(_) => malformed("has a result that is neither a boolean nor an object"),
        },
    }
}

/// The stricter of two decisions, with the obligations of both.
///
/// A remote denial or question always counts. A remote permit settles what no local policy settled, like an allow rule
/// of the user's: both what mode and confirmation policy would decide, and what nothing permits
/// (`on_no_match = "deny"`).
/// It settles the pack's question about a delete inside the roots too ([`PolicyDecision::yields`]).
pub fn combine(local: PolicyDecision, remote: PolicyDecision) -> PolicyDecision {
    let nothing_permits = local.decision == Verdict::Deny && local.code == NO_PERMIT;
    let permit_counts = nothing_permits || local.yields && remote.decision == Verdict::Allow;
    let stricter = local.decision.stricter(remote.decision) != local.decision;
    let asks = local.unsettled && remote.decision != Verdict::Allow;
    let remote_rules = permit_counts || stricter || asks;
    let (mut chosen, other) = if remote_rules { (remote, local) } else { (local, remote) };
    for obligation in other.obligations {
        if !chosen.obligations.contains(&obligation) {
            chosen.obligations.push(obligation);
        }
    }
    if chosen.bundle.is_empty() {
        chosen.bundle = other.bundle;
    }
    chosen.mode_applies |= other.mode_applies;
    chosen.severity = chosen.severity.max(other.severity);
    chosen
}

fn malformed(why: &str) -> PolicyDecision {
    PolicyDecision::deny("remote.malformed", format!("the policy engine's answer {why}"))
}

fn permit(reason: String, obligations: Vec<Obligation>) -> PolicyDecision {
    let mut decision = PolicyDecision::deny("remote.permit", reason);
    decision.decision = Verdict::Allow;
    decision.obligations = obligations;
    decision
}

fn confirm(reason: String, obligations: Vec<Obligation>) -> PolicyDecision {
    let mut decision = PolicyDecision::deny("remote.confirm", reason);
    decision.decision = Verdict::Confirm;
    decision.obligations = obligations;
    decision.confirm = Some(Confirm { level: 1, ..Confirm::default() });
    decision
}

fn reason(object: &Object) -> String {
    object.get("reason").and_then(Value::as_str).unwrap_or_default().chars().take(2_000).collect()
}

fn seed(object: &Object) -> PolicyDecision {
    let Some(word) = object.get("decision").and_then(Value::as_str) else {
        return malformed("has no decision");
    };
    let reason = reason(object);
    let owed = match object.get("obligations") {
        None => OwedObligations::default(),
        Some(Value::Array(items)) => OwedObligations::read(items, seed_obligation),
        Some(_) => return malformed("has obligations that aren't a list"),
    };
    match word {
        "ALLOW" => owed.settle(permit(reason, Vec::new())),
        "REQUIRE_USER_CONFIRMATION" => owed.settle(confirm(reason, Vec::new())),
        "DENY" => owed.attach(PolicyDecision::deny("remote.forbid", reason)),
        _ => malformed("has a decision that the contract doesn't define"),
    }
}

fn authzen(object: &Object, now: Timestamp) -> PolicyDecision {
    let Some(permitted) = object.get("decision").and_then(Value::as_bool) else {
        return malformed("has no boolean decision");
    };
    let none = Object::new();
    let context = match object.get("context") {
        None => &none,
        Some(Value::Object(context)) => context,
        Some(_) => return malformed("has a context that isn't an object"),
    };
    let owed = match context.get("obligations") {
        None => OwedObligations::default(),
        Some(Value::Array(items)) => OwedObligations::read(items, authzen_obligation),
        Some(_) => return malformed("has obligations that aren't a list"),
    };
    let reason = reason(context);
    if permitted {
        return owed.settle(permit(reason, Vec::new()));
    }
    let requestable = context
        .get("access_request")
        .and_then(|request| request.get("expires_at")?.as_str()?.parse::<Timestamp>().ok())
        .is_some_and(|expires| now < expires);
    if requestable {
        owed.settle(confirm(reason, Vec::new()))
    } else {
        owed.attach(PolicyDecision::deny("remote.forbid", reason))
    }
}

/// Obligations of an answer. The known ones apply whatever the decision.
#[derive(Debug, Default)]
struct OwedObligations {
    known: Vec<Obligation>,
    fault: Option<(&'static str, String)>,
}

impl OwedObligations {
    fn read(items: &[Value], one: fn(&Value) -> Result<Obligation, (&'static str, String)>) -> Self {
        let mut owed = Self::default();
        for item in items {
            match one(item) {
                Ok(obligation) if owed.known.contains(&obligation) => {}
                Ok(obligation) => owed.known.push(obligation),
                Err(fault) => owed.fault = owed.fault.or(Some(fault)),
            }
        }
        owed
    }

    /// Denies a permit or a question that has an unknown obligation.
    fn settle(self, decision: PolicyDecision) -> PolicyDecision {
        match self.fault.clone() {
            Some((code, why)) => self.attach(PolicyDecision::deny(code, why)),
            None => self.attach(decision),
        }
    }

    fn attach(self, mut decision: PolicyDecision) -> PolicyDecision {
        decision.obligations = self.known;
        decision
    }
}

fn unknown(kind: &str) -> (&'static str, String) {
    ("obligation.unknown", format!("`{kind}` isn't a known obligation"))
}

fn bad(why: impl Into<String>) -> (&'static str, String) {
    ("obligation.malformed", why.into())
}

const OURS: &[&str] = &["log_output", "redact_output", "sandbox", "notify", "rewrite_args", "expires"];

/// An obligation with its members, or the name alone of one that needs none: `"log_output"`.
fn seed_obligation(item: &Value) -> Result<Obligation, (&'static str, String)> {
    if let Some(kind) = item.as_str() {
        return named(kind, std::iter::empty());
    }
    let object = item.as_object().ok_or_else(|| bad("an obligation is an object or a name"))?;
    let kind = object.get("type").and_then(Value::as_str).ok_or_else(|| bad("an obligation has a type"))?;
    named(kind, object.iter().filter(|(name, _)| *name != "type" && *name != "id"))
}

fn authzen_obligation(item: &Value) -> Result<Obligation, (&'static str, String)> {
    let object = item.as_object().ok_or_else(|| bad("an obligation is an object"))?;
    let kind = object.get("type").and_then(Value::as_str).ok_or_else(|| bad("an obligation has a type"))?;
    let none = Object::new();
    let properties = match object.get("properties") {
        None => &none,
        Some(Value::Object(properties)) => properties,
        Some(_) => return Err(bad("an obligation's properties are an object")),
    };
    let text = |name: &str| properties.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    match kind {
        "notification" => match (text("to"), text("body")) {
            (Some(to), Some(body)) => {
                Ok(Obligation::Notify { to: to.to_owned(), body: Some(body.to_owned()) })
            }
            _ => Err(bad("a notification has `to` and `body`")),
        },
        "custom" => {
            let action = text("action").ok_or_else(|| unknown("custom"))?;
            named(action, properties.iter().filter(|(name, _)| *name != "action"))
        }
        other => Err(unknown(other)),
    }
}

fn named<'v>(
    kind: &str,
    members: impl Iterator<Item = (&'v String, &'v Value)>,
) -> Result<Obligation, (&'static str, String)> {
    if !OURS.contains(&kind) {
        return Err(unknown(kind));
    }
    let texts: BTreeMap<String, String> = members
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| {
            let words: Option<Vec<&str>> =
                value.as_array().and_then(|items| items.iter().map(Value::as_str).collect());
            let text = match (value.as_str(), words) {
                (Some(text), _) => text.to_owned(),
                (None, Some(words)) => words.join(" "),
                (None, None) => value.canonical(),
            };
            (name.clone(), text)
        })
        .collect();
    let arguments = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    obligation(kind, arguments).map_err(|refused| bad(refused.why))
}

/// The request body for an engine.
#[must_use]
pub fn body(kind: RemoteKind, request: &SeedRequest) -> Value {
    let object = |members: Vec<(&str, Value)>| {
        Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    };
    let groups = Value::from(request.principal.groups.clone());
    let args = Value::Object(request.args.clone());
    let mut context = request.context.clone();
    context.extend(request.ip.iter().map(|ip| ("ip_address".to_owned(), ip.as_str().into())));
    context.extend(request.session.iter().map(|id| ("session_id".to_owned(), id.as_str().into())));
    let context = Value::Object(context);
    let id = Value::from(request.principal.id.as_str());
    let tool = Value::from(request.tool.as_str());
    let verb = Value::from(request.action.as_str());
    if kind == RemoteKind::Authzen {
        return object(vec![
            (
                "subject",
                object(vec![
                    ("type", "user".into()),
                    ("id", id),
                    ("properties", object(vec![("groups", groups)])),
                ]),
            ),
            ("action", object(vec![("name", verb)])),
            (
                "resource",
                object(vec![
                    ("type", "tool".into()),
                    ("id", tool),
                    ("properties", object(vec![("args", args)])),
                ]),
            ),
            ("context", context),
        ]);
    }
    let seed = object(vec![
        ("principal", object(vec![("id", id), ("groups", groups)])),
        ("action", verb),
        (
            "resource",
            object(vec![
                ("type", request.resource_type.as_str().into()),
                ("name", tool),
                ("attributes", object(vec![("args", args)])),
            ]),
        ),
        ("context", context),
    ]);
    if kind == RemoteKind::Opa { object(vec![("input", seed)]) } else { seed }
}

/// Stops asking an engine that keeps failing. An open breaker means denial.
#[derive(Debug)]
pub struct Breaker {
    state: Mutex<State>,
    failures: u32,
    rest: Duration,
}

#[derive(Debug, Default)]
struct State {
    in_a_row: u32,
    opened: Option<Instant>,
}

impl Default for Breaker {
    fn default() -> Self {
        Self::new(5, Duration::from_secs(10))
    }
}

impl Breaker {
    /// Opens after `failures` consecutive failures, for `rest`; then lets one call try.
    #[must_use]
    pub fn new(failures: u32, rest: Duration) -> Self {
        Self { state: Mutex::default(), failures, rest }
    }

    /// Whether to ask at `now`. After the rest, the first caller gets `true` and tries.
    pub fn may_ask(&self, now: Instant) -> bool {
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match state.opened {
            None => true,
            Some(since) if now.duration_since(since) >= self.rest => {
                state.opened = Some(now);
                true
            }
            Some(_) => false,
        }
    }

    /// Records the result of an exchange. Only the engine's failures count, not its denials.
    pub fn note(&self, decision: &PolicyDecision, now: Instant) {
        let fault =
            ["remote.timeout", "remote.transport", "remote.status", "remote.malformed", "remote.too_large"]
                .contains(&decision.code.as_str());
        let mut state = self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !fault {
            *state = State::default();
            return;
        }
        state.in_a_row = state.in_a_row.saturating_add(1);
        if state.in_a_row >= self.failures {
            state.opened = Some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        "2026-11-21T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn every_row_of_remote_answers() {
        let rows = include_str!("../testdata/remote.jsonl");
        let mut count = 0;
        for line in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let kind: RemoteKind = serde_json::from_value(row["engine"].clone()).unwrap();
            let response = &row["response"];
            let headers: Vec<(String, String)> = response["headers"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()))
                .collect();
            let mut body = match (&response["body_text"], &response["body"]) {
                (serde_json::Value::String(text), _) => text.clone().into_bytes(),
                (_, serde_json::Value::Null) => Vec::new(),
                (_, value) => value.to_string().into_bytes(),
            };
            if let Some([text, times]) = response["body_repeat"].as_array().map(Vec::as_slice) {
                let padding =
                    text.as_str().unwrap().repeat(usize::try_from(times.as_u64().unwrap()).unwrap());
                body.splice(0..0, padding.into_bytes());
            }
            let answer = if response["delay_ms"].as_u64() > row["deadline_ms"].as_u64().or(Some(500)) {
                Answer::TimedOut
            } else if response["close"].is_string() || response["refuse"] == true {
                Answer::Broken
            } else {
                let status = u16::try_from(response["status"].as_u64().unwrap()).unwrap();
                Answer::Response { status, headers: &headers, body: &body }
            };
            let decision = interpret(kind, answer, "our-id", now());
            let id = &row["id"];
            assert_eq!(decision.decision.as_str(), row["expect"].as_str().unwrap(), "{id} {decision:?}");
            assert_eq!(decision.code, row["expect_code"].as_str().unwrap(), "{id}");
            if let Some(expected) = row["obligations"].as_array() {
                let got: Vec<serde_json::Value> =
                    decision.obligations.iter().map(|one| serde_json::to_value(one).unwrap()).collect();
                assert_eq!(&got, expected, "{id}");
            }
            count += 1;
        }
        assert_eq!(count, 44);
    }

    #[test]
    fn an_obligation_may_be_its_name_alone() {
        let answered = |obligation: &str| {
            let body = format!(r#"{{"decision":"ALLOW","reason":"r","obligations":[{obligation}]}}"#);
            let headers = [("content-type".to_owned(), "application/json".to_owned())];
            let answer = Answer::Response { status: 200, headers: &headers, body: body.as_bytes() };
            interpret(RemoteKind::Seed, answer, "", now())
        };
        let named = answered(r#""log_output""#);
        assert_eq!((named.decision, &named.obligations[..]), (Verdict::Allow, &[Obligation::LogOutput][..]));
        assert_eq!(answered(r#"{"type":"log_output"}"#).obligations, named.obligations);
        for (text, code) in [
            (r#""dance""#, "obligation.unknown"),
            (r#""notify""#, "obligation.malformed"),
            ("5", "obligation.malformed"),
        ] {
            let denied = answered(text);
            assert_eq!((denied.decision, denied.code.as_str()), (Verdict::Deny, code), "{text}");
        }
    }

    #[test]
    fn an_expired_access_request_is_a_plain_denial() {
        let body =
            br#"{"decision":false,"context":{"access_request":{"expires_at":"2026-11-21T12:00:00Z"}}}"#;
        let headers = [("content-type".to_owned(), "application/json".to_owned())];
        let answer = Answer::Response { status: 200, headers: &headers, body };
        assert_eq!(interpret(RemoteKind::Authzen, answer, "", now()).code, "remote.forbid");
    }

    #[test]
    fn the_stricter_verdict_wins_and_both_sides_obligations_are_owed() {
        let allow = |code: &str| {
            let mut decision = PolicyDecision::deny(code, "");
            decision.decision = Verdict::Allow;
            decision
        };
        let mut local = allow("policy.permit");
        local.obligations = vec![Obligation::LogOutput];
        let denied = combine(local.clone(), PolicyDecision::deny("remote.forbid", "no"));
        assert_eq!((denied.decision, denied.code.as_str()), (Verdict::Deny, "remote.forbid"));
        assert_eq!(denied.obligations, [Obligation::LogOutput]);
        assert_eq!(combine(local.clone(), allow("remote.permit")).code, "policy.permit");
        let asked = combine(local, confirm(String::new(), vec![Obligation::RedactOutput]));
        assert_eq!(asked.decision, Verdict::Confirm);
        assert_eq!(asked.obligations.len(), 2);
        for (unsettled, mode_applies) in [(true, true), (true, false), (false, false)] {
            let mut nothing = PolicyDecision::deny(NO_PERMIT, "");
            (nothing.unsettled, nothing.mode_applies) = (unsettled, mode_applies);
            let permitted = combine(nothing, allow("remote.permit"));
            assert_eq!((permitted.decision, permitted.unsettled), (Verdict::Allow, false));
        }
        let forbidden = PolicyDecision::deny("policy.forbid", "no");
        assert_eq!(combine(forbidden, allow("remote.permit")).code, "policy.forbid");
        let asked = confirm(String::new(), Vec::new());
        assert_eq!(combine(asked, allow("remote.permit")).decision, Verdict::Confirm);
    }

    #[test]
    fn the_breaker_opens_rests_and_lets_one_try() {
        let breaker = Breaker::new(2, Duration::from_secs(10));
        let start = Instant::now();
        let fault = PolicyDecision::deny("remote.timeout", "");
        breaker.note(&fault, start);
        assert!(breaker.may_ask(start));
        breaker.note(&fault, start);
        assert!(!breaker.may_ask(start + Duration::from_secs(9)));
        assert!(breaker.may_ask(start + Duration::from_secs(10)));
        assert!(!breaker.may_ask(start + Duration::from_secs(11)), "one tries, the others wait");
        breaker.note(&PolicyDecision::deny("remote.forbid", ""), start + Duration::from_secs(12));
        assert!(breaker.may_ask(start + Duration::from_secs(12)), "a denial is an answer");
    }

    #[test]
    fn requests_speak_each_contract() {
        let text = concat!(
            r#"{"principal":{"id":"u","groups":["g"]},"action":"tool:execute","#,
            r#""resource":{"type":"tool","name":"fs:read","attributes":{"args":{"path":"a"}}},"#,
            r#""context":{"session_id":"s","x":1}}"#
        )
        .as_bytes();
        let request = SeedRequest::parse(text, &[]).unwrap();
        assert_eq!(
            body(RemoteKind::Seed, &request),
            Value::parse(std::str::from_utf8(text).unwrap()).unwrap()
        );
        assert_eq!(
            body(RemoteKind::Opa, &request).at(&["input", "resource", "name"]).unwrap().as_str(),
            Some("fs:read")
        );
        let authzen = body(RemoteKind::Authzen, &request);
        assert_eq!(authzen.at(&["resource", "properties", "args", "path"]).unwrap().as_str(), Some("a"));
        assert_eq!(authzen.at(&["subject", "type"]).unwrap().as_str(), Some("user"));
    }
}
