//! `net check --batch`: one JSON row in, one JSON line out, without DNS queries.
//!
//! A row contains its own DNS answers (`dns`); other names don't resolve. An unreadable row is answered `block`,
//! with its id if that is readable.

use std::collections::HashMap;
use std::net::IpAddr;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::code::{Code, Refusal};
use crate::config::GuardConfig;
use crate::guard::{Cleared, Guard};
use crate::redirect::{self, Outgoing};
use crate::target::Host;

/// Answers one row with one line (without line end).
#[must_use]
pub fn batch_line(line: &str) -> String {
    let answer = match serde_json::from_str::<Row>(line) {
        Ok(row) => answer(&row),
        Err(_) => {
            let id = serde_json::from_str::<OnlyId>(line).map_or(Value::Null, |row| row.id);
            json!({"id": id, "verdict": "block", "code": Code::MalformedUrl.as_str()})
        }
    };
    answer.to_string()
}

#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    id: Value,
    input: String,
    #[serde(default)]
    dns: HashMap<String, Vec<String>>,
    #[serde(default)]
    config: Option<Value>,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    headers: Option<HashMap<String, String>>,
    #[serde(default)]
    redirects: Vec<RedirectRow>,
}

#[derive(Deserialize)]
struct OnlyId {
    #[serde(default)]
    id: Value,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RedirectRow {
    Location(String),
    Answer { status: u16, location: String },
}

fn answer(row: &Row) -> Value {
    let guard = match guard_of(row.config.as_ref()) {
        Ok(guard) => guard,
        Err(refusal) => return line(row, Some(&refusal), &[], None, false),
    };
    let dns = StaticDns::new(&row.dns);
    let first = match judge_one(&guard, &dns, &row.input) {
        Ok(cleared) => cleared,
        Err(refusal) => return line(row, Some(&refusal), &[], None, false),
    };
    let headers = row.headers.iter().flatten();
    let mut headers: Vec<(String, String)> =
        headers.map(|(name, value)| (name.to_ascii_lowercase(), value.clone())).collect();
    headers.sort();
    let mut current = Outgoing {
        target: first.target().clone(),
        method: row.method.clone().unwrap_or_else(|| "GET".to_owned()).to_ascii_uppercase(),
        has_body: headers.iter().any(|(name, _)| name == "content-type"),
        headers,
    };
    let mut hops = vec![];
    let mut refused = None;
    for (followed, redirect) in row.redirects.iter().enumerate() {
        match step(&guard, &dns, &current, followed, redirect) {
            Ok(Some(next)) => {
                let names: Vec<&str> = next.headers.iter().map(|(name, _)| name.as_str()).collect();
                hops.push(
                    json!({"url": next.target.url().as_str(), "method": next.method, "headers": names}),
                );
                current = next;
            }
            Ok(None) => break,
            Err(refusal) => {
                refused = Some(refusal);
                break;
            }
        }
    }
    let unresolved = !guard.config().resolve_dns && current.target.host.name().is_some();
    line(row, refused.as_ref(), &hops, Some(&current), unresolved)
}

fn step(
    guard: &Guard,
    dns: &StaticDns,
    current: &Outgoing,
    followed: usize,
    redirect: &RedirectRow,
) -> Result<Option<Outgoing>, Refusal> {
    let (status, location) = match redirect {
        RedirectRow::Location(location) => (302, location),
        RedirectRow::Answer { status, location } => (*status, location),
    };
    if !redirect::is_redirect(status) {
        return Ok(None);
    }
    if followed >= usize::try_from(guard.config().max_redirects).unwrap_or(usize::MAX) {
        return Err(redirect::too_many());
    }
    let next = redirect::follow(current, status, location)?;
    resolve(&guard.judge(next.target.clone())?, guard, dns)?;
    Ok(Some(next))
}

fn guard_of(config: Option<&Value>) -> Result<Guard, Refusal> {
    let broken = || Refusal::new(Code::ConfigError, "the configuration doesn't parse");
    let config: GuardConfig = match config {
        None | Some(Value::Null) => GuardConfig::default(),
        // Serde would read a list as the fields in order.
        Some(value @ Value::Object(_)) => GuardConfig::deserialize(value).map_err(|_| broken())?,
        Some(_) => return Err(broken()),
    };
    Guard::new(config).map_err(|_| broken())
}

fn judge_one<'g>(guard: &'g Guard, dns: &StaticDns, url: &str) -> Result<Cleared<'g>, Refusal> {
    let cleared = guard.judge_url(url)?;
    resolve(&cleared, guard, dns)?;
    Ok(cleared)
}

fn resolve(cleared: &Cleared<'_>, guard: &Guard, dns: &StaticDns) -> Result<(), Refusal> {
    match cleared.needs_lookup() {
        Some(name) if guard.config().resolve_dns => cleared.check(&dns.answers(name)?).map(drop),
        _ => Ok(()),
    }
}

/// The DNS answers in a row.
struct StaticDns(HashMap<String, Vec<String>>);

impl StaticDns {
    fn new(rows: &HashMap<String, Vec<String>>) -> Self {
        let mut names: HashMap<String, Vec<String>> = HashMap::new();
        for (name, answers) in rows {
            let canonical = match Host::parse(name) {
                Ok(Host::Name(name)) => name,
                _ => name.to_ascii_lowercase(),
            };
            names.entry(canonical).or_default().extend(answers.iter().cloned());
        }
        Self(names)
    }

    fn answers(&self, name: &str) -> Result<Vec<IpAddr>, Refusal> {
        let failed = || Refusal::new(Code::DnsFailed, "the name has no usable address");
        let answers = self.0.get(name).ok_or_else(failed)?;
        answers.iter().map(|text| text.parse().map_err(|_| failed())).collect()
    }
}

fn line(
    row: &Row,
    refusal: Option<&Refusal>,
    hops: &[Value],
    last: Option<&Outgoing>,
    unresolved: bool,
) -> Value {
    let mut answer = Map::new();
    answer.insert("id".into(), row.id.clone());
    answer.insert("verdict".into(), if refusal.is_some() { "block" } else { "allow" }.into());
    if let Some(refusal) = refusal {
        answer.insert("code".into(), refusal.public_code().into());
        answer.insert("why".into(), refusal.why.into());
    }
    if let Some(last) = last {
        answer.insert("host".into(), last.target.host.to_string().into());
        answer.insert("port".into(), last.target.port.into());
    }
    if unresolved {
        answer.insert("unresolved".into(), true.into());
    }
    if row.method.is_some() {
        answer.insert("hops".into(), hops.into());
        if let Some(refusal) = refusal {
            answer.insert("refused".into(), refusal.public_code().into());
        }
    }
    Value::Object(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_row_keeps_its_id() {
        for (row, id) in [
            (r#"{"id":"a"}"#, json!("a")),
            (r#"{"id":7,"input":"\ud800"}"#, json!(7)),
            (r#"{"id":"c","input":3}"#, json!("c")),
            ("nonsense", Value::Null),
            (r#"{"id":"d","input":"https://1.1.1.1/","config":{"x":1}}"#, json!("d")),
        ] {
            let answer: Value = serde_json::from_str(&batch_line(row)).unwrap();
            assert_eq!((&answer["id"], answer["verdict"].as_str()), (&id, Some("block")), "{row}");
        }
    }

    #[test]
    fn never_a_lookup() {
        let answer = batch_line(r#"{"id":"x","input":"https://example.com/"}"#);
        assert!(answer.contains(r#""code":"dns_failed""#), "{answer}");
    }
}
