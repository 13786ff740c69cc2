//! Handles one access from its text to an open connection: rules, guard, budget, question, look-up, record, dial.
//!
//! Every form of request (CONNECT, absolute-form HTTP, SOCKS5) goes through [`SharedProxy::open`] in this order. A host
//! that no rule permits is never resolved, and nothing is dialled before it is recorded.

use std::net::IpAddr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use doorward_core::decision::Verdict;
use doorward_core::id::{DecisionId, RecordId, SessionId};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::SharedProxy;
use super::record::{AccessEvent, AccessRecord, AskAnswer, AskEgress};
use super::rules::{EgressRules, RuleRequest, Said};
use super::session::{Meter, OpenSession};
use crate::address::AddressClass;
use crate::code::{Code, Refusal};
use crate::connect::dial;
use crate::egress::Mode;
use crate::resolve::{Resolved, lookup};
use crate::target::{Scheme, Target};

/// Lets something happen at most once a second.
#[derive(Default)]
pub(crate) struct OnceASecond(Mutex<Option<Instant>>);

impl OnceASecond {
    fn is_due(&self, now: Instant) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let due = last.is_none_or(|last| now.duration_since(last) >= Duration::from_secs(1));
        if due {
            *last = Some(now);
        }
        due
    }
}

/// The requesting session and command.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) session: Arc<OpenSession>,
    pub(crate) command: String,
}

/// The requested access.
pub(crate) struct AccessRequest<'a> {
    pub(crate) caller: &'a Caller,
    /// `CONNECT`, `SOCKS5` or the HTTP method.
    pub(crate) method: &'a str,
    /// Path of a plain HTTP request; `None` for a tunnel.
    pub(crate) path: Option<&'a str>,
    pub(crate) target: Target,
}

/// An open connection.
pub(crate) struct Opened {
    pub(crate) upstream: TcpStream,
    pub(crate) target: Target,
    pub(crate) meter: Meter,
    /// Bytes other than TLS may pass.
    pub(crate) opaque: bool,
    pub(crate) record: AccessRecord,
}

/// Why the connection wasn't opened.
pub(crate) enum NotOpened {
    Refused(Refusal),
    Unreachable,
}

impl SharedProxy {
    /// Opens an access, or refuses it. Either way it is recorded.
    pub(crate) async fn open(&self, access: AccessRequest<'_>) -> Result<Opened, NotOpened> {
        let rules = self.rules_of(&access.caller.session);
        let mut record = blank(access.caller, access.method, &rules);
        record.scheme = access.target.scheme.as_str().to_owned();
        record.host = access.target.host.to_string();
        record.port = access.target.port;
        match self.permit(&access, &rules, &mut record).await {
            Ok(permitted) => self.dial(access.target, permitted, &rules, record).await,
            Err(refusal) => Err(NotOpened::Refused(self.refuse(record, refusal).await)),
        }
    }

    /// Records a request that is refused because of its text.
    pub(crate) async fn refuse_text(
        &self,
        caller: &Caller,
        method: &str,
        host: &str,
        port: u16,
        refusal: Refusal,
    ) -> Refusal {
        let mut record = blank(caller, method, &self.rules_of(&caller.session));
        record.host = host.chars().take(300).collect();
        record.port = port;
        self.refuse(record, refusal).await
    }

    /// Refuses a client without a valid session token. All are counted; at most one per second is recorded, because
    /// any local program can send such requests without limit.
    pub(crate) async fn refuse_stranger(&self, method: &str, host: &str) -> Refusal {
        let refusal = Refusal::new(Code::AuthRequired, "the proxy needs the token of a session");
        self.metrics.deny(refusal.code);
        if self.strangers.is_due(Instant::now()) {
            let record = AccessRecord {
                method: method.chars().take(32).collect(),
                host: host.chars().take(300).collect(),
                verdict: Verdict::Deny,
                code: Some(ledger_code(&refusal)),
                ..nobodys(Mode::Enforce)
            };
            // The denial stands even if it couldn't be recorded.
            let _ = self.log.decided(&record).await;
        }
        refusal
    }

    async fn refuse(&self, mut record: AccessRecord, refusal: Refusal) -> Refusal {
        record.verdict = Verdict::Deny;
        record.code = Some(ledger_code(&refusal));
        record.rule = record.rule.or_else(|| refusal.rule.clone());
        self.metrics.deny(refusal.code);
        // The denial stands even if it couldn't be recorded.
        let _ = self.log.decided(&record).await;
        refusal
    }

    /// Applies the rules, the guard, the budget, the question and the look-up, in this order.
    async fn permit(
        &self,
        access: &AccessRequest<'_>,
        rules: &EgressRules,
        record: &mut AccessRecord,
    ) -> Result<Permitted, Refusal> {
        let started = Instant::now();
        let target = &access.target;
        let session = &access.caller.session;
        let request = access.path.map(|path| (access.method, path));
        let wanted = RuleRequest { target, request, roles: &session.spec.roles };
        let mut overruled = None;
        if session.is_beyond(&access.caller.command, target) {
            let why = "the rule under which this command runs lets it reach other hosts only";
            return Err(Refusal::new(Code::NotAllowlisted, why));
        }
        if let Some(refusal) = rules.denied(target) {
            unless_reporting(rules, refusal, &mut overruled)?;
        }
        let guard = self.guard.load();
        let cleared = guard.judge_with(target.clone(), &rules.lifting(wanted))?;
        let said = rules.judge(wanted);
        self.metrics.decision.observe(started.elapsed());
        let mut opaque = false;
        let ask = match said {
            Said::Allow { rule, opaque: may } => {
                (record.rule, opaque) = (rule, may);
                None
            }
            Said::Ask { rule, opaque: may } if rules.mode() == Mode::Enforce => {
                opaque = may;
                Some(rule)
            }
            Said::Ask { rule, .. } => {
                record.rule = Some(rule);
                None
            }
            Said::Deny(refusal) => {
                unless_reporting(rules, refusal, &mut overruled)?;
                None
            }
        };
        let tunnel = access.path.is_none();
        let meter = session.spend(rules, &record.host, tunnel, &self.metrics);
        let meter = meter.map_err(|code| {
            let why = match code {
                Code::RateLimited => "more requests a second than this session may make",
                _ => "the budget of this session is used up",
            };
            Refusal::new(code, why)
        })?;
        if let Some(rule) = ask {
            record.rule = Some(rule.clone());
            self.ask(access, rule, &record.access).await?;
        }
        let looked_up = lookup(&cleared, &*self.resolver, guard.dns_timeout()).await;
        let resolved = match looked_up {
            Ok(resolved) => resolved,
            Err(failed) => {
                record.resolved = failed.answers;
                return Err(failed.refusal);
            }
        };
        record.dns_us = micros(resolved.took);
        record.resolved.clone_from(&resolved.answers);
        if cleared.needs_lookup().is_some() {
            self.metrics.dns.observe(resolved.took);
        }
        let denied = |address: &IpAddr| rules.denies_address(*address, target.port);
        if resolved.answers.iter().any(denied) {
            let refusal = Refusal::resolved(Code::AddressDenied, AddressClass::Blocked);
            unless_reporting(rules, refusal, &mut overruled)?;
        }
        if let Some(refusal) = &overruled {
            record.code = Some(ledger_code(refusal));
            self.metrics.reported.fetch_add(1, Relaxed);
        }
        let opaque = opaque || rules.mode() != Mode::Enforce;
        Ok(Permitted { resolved, meter, opaque })
    }

    async fn ask(&self, access: &AccessRequest<'_>, rule: String, id: &DecisionId) -> Result<(), Refusal> {
        let session = &access.caller.session;
        let (host, port) = (access.target.host.to_string(), access.target.port);
        let question = AskEgress {
            access: id.clone(),
            agent_session: session.spec.session.clone(),
            agent: session.spec.agent.clone(),
            command_id: access.caller.command.clone(),
            method: access.method.to_owned(),
            host: host.clone(),
            port,
            rule,
        };
        let _turn = session.asking.lock().await;
        if session.is_permitted(&host, port) || self.is_always_permitted(&host, port) {
            return Ok(());
        }
        let answer = tokio::select! {
            answer = timeout(self.limits.ask, self.confirm.ask(&question)) => answer,
            () = session.ended() => Ok(AskAnswer::Denied),
        };
        match answer {
            Err(_) => Err(Refusal::new(Code::AskTimeout, "nobody answered in time")),
            Ok(AskAnswer::Denied) => Err(Refusal::new(Code::AskDenied, "a person said no")),
            Ok(AskAnswer::Once) => Ok(()),
            Ok(AskAnswer::Session) => {
                session.permit(&host, port);
                Ok(())
            }
            Ok(AskAnswer::Always) => {
                self.permit_always(&host, port);
                Ok(())
            }
        }
    }

    async fn dial(
        &self,
        target: Target,
        permitted: Permitted,
        rules: &EgressRules,
        mut record: AccessRecord,
    ) -> Result<Opened, NotOpened> {
        if let Some(upstream) = rules.upstream() {
            record.resolved_by = upstream.resolved_by().to_owned();
        }
        if self.log.decided(&record).await.is_err() {
            let refusal = Refusal::new(Code::Unrecorded, "the access can't be recorded");
            self.metrics.deny(refusal.code);
            return Err(NotOpened::Refused(refusal));
        }
        self.metrics.allowed.fetch_add(1, Relaxed);
        let started = Instant::now();
        let dialable = &permitted.resolved.dialable;
        let connected = match rules.upstream() {
            Some(upstream) => upstream.dial(&target, dialable, self.limits.connect).await,
            None => dial(dialable, self.limits.connect).await.map(|stream| {
                let peer = stream.peer_addr().ok();
                (stream, peer)
            }),
        };
        let took = started.elapsed();
        record.connect_us = micros(took);
        self.metrics.connect.observe(took);
        match connected {
            Ok((upstream, dialed)) => {
                record.dialed = dialed;
                Ok(Opened { upstream, target, meter: permitted.meter, opaque: permitted.opaque, record })
            }
            Err(_) => {
                record.end = Some("unreachable".to_owned());
                self.log.ended(&ended(record)).await;
                Err(NotOpened::Unreachable)
            }
        }
    }

    /// Records how an access ended. A code means that it was cut off for that reason.
    pub(crate) async fn finish(&self, meter: Meter, mut record: AccessRecord, end: &str, cut: Option<Code>) {
        (record.bytes_up, record.bytes_down) = meter.totals();
        drop(meter);
        record.end = Some(end.to_owned());
        if let Some(code) = cut {
            record.verdict = Verdict::Deny;
            record.code = Some(code.as_str().to_owned());
            self.metrics.deny(code);
        }
        self.log.ended(&ended(record)).await;
    }
}

/// The second record of an access, for its end.
fn ended(record: AccessRecord) -> AccessRecord {
    AccessRecord { id: RecordId::fresh(), time: jiff::Timestamp::now(), event: AccessEvent::Ended, ..record }
}

struct Permitted {
    resolved: Resolved,
    meter: Meter,
    opaque: bool,
}

/// In mode `report` a refusal by the rules is noted and ignored; only the first is noted.
fn unless_reporting(
    rules: &EgressRules,
    refusal: Refusal,
    noted: &mut Option<Refusal>,
) -> Result<(), Refusal> {
    if rules.mode() != Mode::Report {
        return Err(refusal);
    }
    noted.get_or_insert(refusal);
    Ok(())
}

fn blank(caller: &Caller, method: &str, rules: &EgressRules) -> AccessRecord {
    AccessRecord {
        session: caller.session.spec.session.clone(),
        agent: caller.session.spec.agent.clone(),
        command: caller.command.clone(),
        method: method.to_owned(),
        ..nobodys(rules.mode())
    }
}

fn nobodys(mode: Mode) -> AccessRecord {
    let access = DecisionId::fresh();
    AccessRecord {
        v: 1,
        id: access.clone().into(),
        access,
        time: jiff::Timestamp::now(),
        event: AccessEvent::Decided,
        session: SessionId::default(),
        agent: None,
        command: String::new(),
        method: String::new(),
        scheme: Scheme::Http.as_str().to_owned(),
        host: String::new(),
        port: 0,
        resolved: vec![],
        dialed: None,
        resolved_by: "local".to_owned(),
        verdict: Verdict::Allow,
        code: None,
        rule: None,
        mode: mode.as_str().to_owned(),
        sni: None,
        bytes_up: 0,
        bytes_down: 0,
        dns_us: 0,
        connect_us: 0,
        swapped_secrets: vec![],
        end: None,
    }
}

/// The code with the class, which the ledger may contain and the agent must not see.
fn ledger_code(refusal: &Refusal) -> String {
    match refusal.class {
        Some(class) => format!("{}:{}", refusal.code, class.as_str()),
        None => refusal.code.as_str().to_owned(),
    }
}

fn micros(took: Duration) -> u64 {
    u64::try_from(took.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_are_recorded_once_a_second() {
        let (gate, start) = (OnceASecond::default(), Instant::now());
        let due = [0, 1, 999, 1_000, 1_500, 2_000].map(|ms| gate.is_due(start + Duration::from_millis(ms)));
        assert_eq!(due, [true, false, false, true, false, true]);
    }
}
