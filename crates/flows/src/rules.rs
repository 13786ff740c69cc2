//! Checks whether a call completes a flow: from its own facts back through what ran before it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use doorward_core::id::Digest;
use doorward_core::tool::mcp_parts;

use crate::facts::{Fact, MOST_OBJECTS};
use crate::kind::{Kind, Kinds};
use crate::memory::{CompletedFlow, Step, TurnedFact};
use crate::source::{Label, Source};
use crate::speech::host;
use crate::table::{FlowRule, Joined, Table, Then};
use crate::values::{ValueHit, Values};

/// Input of the rules.
pub(crate) struct Seen<'a> {
    pub(crate) table: &'a Table,
    pub(crate) events: &'a BTreeMap<Kind, VecDeque<TurnedFact>>,
    pub(crate) pending: &'a [&'a Step],
    pub(crate) now: &'a [Fact],
    pub(crate) turn: u64,
    /// Whether the user named something.
    pub(crate) said: &'a dyn Fn(&str) -> bool,
    /// The call's tool.
    pub(crate) tool: &'a str,
    /// Digest of the call: equal for calls that do the same.
    pub(crate) act: &'a str,
}

/// Values in a call.
#[derive(Debug, Default)]
pub(crate) struct Carried {
    /// In its arguments.
    pub(crate) by_text: Vec<ValueHit>,
    /// In files that it sends, by path and source.
    pub(crate) by_file: Vec<(String, u16)>,
    /// Files of the session that contain values.
    pub(crate) marked: Vec<(String, u16)>,
    /// Sources whose values occur only in login arguments (`password`, `token`).
    pub(crate) signs_in: Vec<u16>,
    /// Its only known effect is writing files of the project.
    pub(crate) stays_inside: bool,
    /// Its texts are longer than what is searched: it may carry more.
    pub(crate) unsearched: bool,
}

/// A fact somewhere in the session.
#[derive(Clone, Copy)]
struct PastFact<'a> {
    kind: Kind,
    turn: u64,
    objects: &'a [Box<str>],
    /// It ran and surely happened, with no other call running.
    ends: bool,
}

impl<'a> Seen<'a> {
    /// Facts of these kinds, the newest first: of this call, of running calls, of calls that ran.
    fn past(&self, kinds: Kinds) -> impl Iterator<Item = PastFact<'a>> {
        let turn = self.turn;
        let wanted = move |fact: &&Fact| kinds.has(fact.kind);
        let of = move |turn: u64| {
            move |fact: &'a Fact| PastFact { kind: fact.kind, turn, objects: &fact.objects, ends: false }
        };
        let now = self.now.iter().filter(wanted).map(of(turn));
        let pending = self
            .pending
            .iter()
            .rev()
            .flat_map(move |step| step.facts().iter().filter(wanted).map(of(step.turn().min(turn))));
        let events = self.events;
        let ran = kinds.each().flat_map(move |kind| {
            let of_kind = events.get(&kind).into_iter().flatten().rev();
            of_kind.map(move |event| PastFact {
                kind,
                turn: event.turn,
                objects: &event.objects,
                ends: event.ends,
            })
        });
        now.chain(pending).chain(ran)
    }

    /// The newest fact of a kind: its turn and first object.
    pub(crate) fn latest(&self, kind: Kind) -> Option<(u64, &'a str)> {
        let past = self.past(Kinds::default().with(kind)).max_by_key(|past| past.turn)?;
        Some((past.turn, past.objects.first().map_or("", |object| object)))
    }
}

/// The flows that this call completes, one per rule.
pub(crate) fn complete(seen: &Seen<'_>, carried: &Carried, values: &Values) -> Vec<CompletedFlow> {
    let mine = seen.now.iter().fold(Kinds::default(), |kinds, fact| kinds.with(fact.kind));
    let rules = seen.table.flows.iter();
    let last = |rule: &FlowRule| rule.steps.last().copied().unwrap_or_default();
    rules
        .filter(|rule| last(rule).meets(mine))
        .filter_map(|rule| match rule.joined {
            Joined::Value => by_value(seen, rule, carried, values),
            Joined::Object | Joined::Session if rule.at_least > 1 => by_count(seen, rule),
            Joined::Object | Joined::Session => in_order(seen, rule),
        })
        .collect()
}

/// Completed if the call carries a value of a source and makes a fact of the last step.
fn by_value(seen: &Seen<'_>, rule: &FlowRule, carried: &Carried, values: &Values) -> Option<CompletedFlow> {
    let last = rule.steps.last().copied()?;
    let mut facts = seen.now.iter().filter(|fact| last.has(fact.kind));
    // Any call to a server's tool can carry data out; more specific facts take precedence.
    let only_used = |fact: &&Fact| fact.kind == seen.table.known.used;
    let fact = facts.clone().find(|fact| !only_used(fact)).or_else(|| facts.find(only_used))?;
    let only_used = only_used(&fact);
    if only_used && rule.carries.is_some_and(is_secret) && mcp_parts(seen.tool).is_none() {
        return None;
    }
    let from = first_turn(seen, rule);
    let wanted = |number: u16| {
        let fits = |source: &&Source| {
            rule.carries.is_some_and(|wanted| source.label.is(wanted))
                && source.turn >= from
                && !is_home(seen, source)
                && !(only_used && is_secret(source.label) && is_same_server(&source.from, seen.tool))
        };
        values.source(number).filter(fits)
    };
    if rule.in_file {
        let touched = || seen.now.iter().filter(|fact| last.has(fact.kind)).flat_map(|fact| &fact.objects);
        let (path, source) = carried.marked.iter().find(|(path, source)| {
            wanted(*source).is_some() && touched().any(|object| is_same_place(object, path))
        })?;
        let source = wanted(*source)?;
        let came = seen.table.phrase(came_in(seen, source.label), &source.from);
        let path = vec![(source.turn, came), (seen.turn, format!("uses {path}, which was made of it"))];
        return Some(flow(seen, rule, fact, path));
    }
    let by_text = carried.by_text.iter().filter_map(|hit| {
        let source = wanted(hit.source)?;
        let pieces = if hit.pieces > 1 { format!(" in {} pieces", hit.pieces) } else { String::new() };
        Some((source, format!("{}{pieces}", hit.form.as_str()), carried.signs_in.contains(&hit.source)))
    });
    let by_file = carried.by_file.iter().filter_map(|(path, source)| {
        let source = wanted(*source)?;
        Some((source, format!("in {path}"), false))
    });
    // A credential may go to the service named beside it.
    let stranger = |hosts: &[String]| {
        let is_home = |object: &str| hosts.iter().any(|host| object == host);
        let mut hosts = fact.objects.iter().filter(|object| !object.starts_with('/')).peekable();
        hosts.peek().is_none() || !hosts.all(|object| is_home(object))
    };
    // A value that surely leaves takes precedence over one possibly used for login.
    let mut all = by_text.chain(by_file).filter(|(source, ..)| stranger(&source.hosts)).collect::<Vec<_>>();
    all.sort_by_key(|(.., signs_in)| *signs_in);
    let (source, how, signs_in) = all.first()?;
    let kind = came_in(seen, source.label);
    let path = vec![(source.turn, format!("{}, which is here {how}", seen.table.phrase(kind, &source.from)))];
    let mut flow = flow(seen, rule, fact, path);
    // A floor must not be wrong: login, and a project file written by a server, are left to a person.
    if only_used && (*signs_in || carried.stays_inside) {
        flow.then = flow.then.min(Then::Ask);
    }
    Some(flow)
}

const fn is_secret(label: Label) -> bool {
    matches!(label, Label::Secret | Label::Likely)
}

/// Whether two names of the form `mcp:server/tool` are of one server.
fn is_same_server(one: &str, other: &str) -> bool {
    mcp_parts(one).zip(mcp_parts(other)).is_some_and(|((server, _), (other, _))| server == other)
}

/// The fact that a value with this label arrived.
const fn came_in(seen: &Seen<'_>, label: Label) -> Kind {
    match label {
        Label::Secret => seen.table.known.secret_seen,
        Label::Likely => seen.table.known.likely_seen,
        Label::Untrusted | Label::Commands => seen.table.known.untrusted_seen,
        Label::Private => seen.table.known.private_seen,
    }
}

/// Whether a value only returns to its origin: a page's own address is fetched again, or a server's records are
/// sent to the same server. A secret's own hosts are handled by the rule.
fn is_home(seen: &Seen<'_>, source: &Source) -> bool {
    /// Facts that the call must not have in addition.
    const MORE: &[&str] = words! {
        "executed" "later" "installed" "deleted" "lost" "privileged" "destroyed" "persisted" "run_later"
    };
    if source.label == Label::Private && mcp_parts(&source.from).is_some() {
        return is_same_server(&source.from, seen.tool);
    }
    if !source.label.is(Label::Untrusted) {
        return false;
    }
    let is = |words: &[&str], kind: Kind| words.contains(&seen.table.name(kind));
    let mut reached = seen
        .now
        .iter()
        .filter(|fact| is(&["contacted", "sent"], fact.kind))
        .flat_map(|fact| fact.objects.iter())
        .peekable();
    let home = host(&source.from);
    reached.peek().is_some()
        && reached.all(|object| object.as_ref() == home)
        && !seen.now.iter().any(|fact| is(MORE, fact.kind))
}

/// Counts objects of the last step within the window, for rules with `at_least`.
fn by_count(seen: &Seen<'_>, rule: &FlowRule) -> Option<CompletedFlow> {
    let last = rule.steps.last().copied()?;
    let from = first_turn(seen, rule);
    let facts: Vec<PastFact<'_>> = seen.past(last).filter(|past| past.turn >= from).collect();
    let objects: BTreeSet<&str> =
        facts.iter().flat_map(|past| past.objects.iter().map(|object| object.as_ref())).collect();
    if objects.len() < rule.at_least {
        return None;
    }
    let fact = seen.now.iter().find(|fact| last.has(fact.kind))?;
    let mut turns: Vec<u64> = facts.iter().map(|past| past.turn).collect();
    turns.sort_unstable();
    turns.dedup();
    let path = turns
        .iter()
        .map(|turn| {
            let of_turn = facts.iter().filter(|past| past.turn == *turn);
            (*turn, format!("took {}", of_turn.map(|past| past.objects.len()).sum::<usize>()))
        })
        .collect();
    Some(flow(seen, rule, fact, path))
}

fn first_turn(seen: &Seen<'_>, rule: &FlowRule) -> u64 {
    if rule.window == 0 { 0 } else { seen.turn.saturating_sub(rule.window) }
}

/// Completed if the steps occur in order, joined as the rule says, and weren't ended.
fn in_order(seen: &Seen<'_>, rule: &FlowRule) -> Option<CompletedFlow> {
    let (last, before) = rule.steps.split_last()?;
    for fact in seen.now.iter().filter(|fact| last.has(fact.kind)) {
        let end = PastFact { kind: fact.kind, turn: seen.turn, objects: &fact.objects, ends: false };
        let mut path = Vec::new();
        if back(seen, rule, before, end, &mut path, &mut 4_096) {
            path.reverse();
            let path = path
                .iter()
                .map(|past| {
                    let object = past.objects.first().map_or("", |object| object);
                    (past.turn, seen.table.phrase(past.kind, object))
                })
                .collect();
            return Some(flow(seen, rule, fact, path));
        }
    }
    None
}

/// Finds the step before `next`, and recursively those before. `left` limits the search.
fn back<'a>(
    seen: &Seen<'a>,
    rule: &FlowRule,
    before: &[Kinds],
    next: PastFact<'a>,
    path: &mut Vec<PastFact<'a>>,
    left: &mut usize,
) -> bool {
    let Some((step, before)) = before.split_last() else { return true };
    let from = first_turn(seen, rule);
    for past in seen.past(*step) {
        if *left == 0 {
            return false;
        }
        *left -= 1;
        // If only order joins the steps, several facts of one call have no order.
        let is_earlier =
            if rule.joined == Joined::Session { past.turn < next.turn } else { past.turn <= next.turn };
        let in_time = past.turn >= from && is_earlier;
        if !in_time || (rule.unless_said && was_said(seen, past.objects)) {
            continue;
        }
        let joined = match rule.joined {
            Joined::Session => !ended(seen, rule, past),
            Joined::Object | Joined::Value => meet(&left_of(seen, rule, past), &left_of(seen, rule, next)),
        };
        if !joined {
            continue;
        }
        path.push(past);
        if back(seen, rule, before, past, path, left) {
            return true;
        }
        path.pop();
    }
    false
}

/// Whether the user named the objects of a step: for addresses, each of them.
fn was_said(seen: &Seen<'_>, objects: &[Box<str>]) -> bool {
    let addresses = || objects.iter().filter(|object| object.contains("://"));
    match addresses().count() {
        0 | 1 => objects.iter().any(|object| (seen.said)(object)),
        _ => addresses().all(|object| (seen.said)(object)),
    }
}

/// The objects of a step that haven't been ended since.
fn left_of<'a>(seen: &Seen<'a>, rule: &FlowRule, past: PastFact<'a>) -> Vec<&'a str> {
    let objects = past.objects.iter().map(AsRef::as_ref);
    objects.filter(|object| !is_ended(seen, rule, past, object)).collect()
}

/// Whether all objects of a step were ended. A step without objects never is; an address ends with the setting or
/// name under which it was stored.
fn ended(seen: &Seen<'_>, rule: &FlowRule, past: PastFact<'_>) -> bool {
    let mut objects = past.objects.iter().filter(|object| !object.contains("://")).peekable();
    objects.peek().is_some() && objects.all(|object| is_ended(seen, rule, past, object))
}

/// Whether a call after that step, and before the judged one, surely undid it for this object, by naming it or its
/// folder. Commands of the same call don't count, because they could run before the step.
fn is_ended(seen: &Seen<'_>, rule: &FlowRule, past: PastFact<'_>, object: &str) -> bool {
    let is_of =
        |end: &str| end == object || (object.len() > end.len() && end.len() > 1 && is_below(object, end));
    seen.past(rule.ended_by).any(|end| {
        let later = end.ends && end.turn > past.turn && end.turn < seen.turn;
        later && end.objects.iter().any(|end| is_of(end))
    })
}

fn is_below(path: &str, folder: &str) -> bool {
    folder.starts_with('/') && path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn meet(some: &[&str], others: &[&str]) -> bool {
    some.iter().any(|one| others.iter().any(|other| is_same_place(one, other)))
}

/// Equal, or one path below the other. The root and its folders are ignored, because they contain everything.
pub(crate) fn is_same_place(one: &str, other: &str) -> bool {
    let below = |path: &str, folder: &str| {
        folder.matches('/').count() >= 2
            && path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    one == other || (one.starts_with('/') && (below(one, other) || below(other, one)))
}

fn flow(seen: &Seen<'_>, rule: &FlowRule, fact: &Fact, path: Vec<(u64, String)>) -> CompletedFlow {
    // If there are hosts and files, the finding names the host.
    let host = fact.objects.iter().find(|object| !object.starts_with('/'));
    let object = host.or(fact.objects.first()).map_or("another place", |object| object);
    CompletedFlow {
        rule: rule.id.clone(),
        code: rule.code.clone(),
        then: rule.then,
        turn: seen.turn,
        says: rule.says.replace("{}", object),
        path,
        last: seen.table.name(fact.kind).to_owned(),
        repeats: rule.joined != Joined::Value,
        act: act(seen, rule, fact),
    }
}

/// What a person agrees to by allowing the call: for a file that is run, running that file; otherwise this exact
/// call.
fn act(seen: &Seen<'_>, rule: &FlowRule, fact: &Fact) -> String {
    let runs = matches!(seen.table.name(fact.kind), "executed" | "later" | "ran_unseen");
    if rule.joined == Joined::Object && runs && fact.objects.len() < MOST_OBJECTS {
        let files: Vec<&str> = fact.objects.iter().map(AsRef::as_ref).collect();
        return Digest::of(files.join("\0").as_bytes()).to_string();
    }
    seen.act.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_the_same_by_name_or_by_folder() {
        for (one, other, expected) in [
            ("/w/a/x", "/w/a/x", true),
            ("/w/a/x", "/w/a", true),
            ("/w/ab", "/w/a", false),
            ("/w/a", "/w", false),
            ("/w/a", "/", false),
            ("backup", "backup", true),
            ("backup", "back", false),
        ] {
            assert_eq!(is_same_place(one, other), expected, "{one} {other}");
            assert_eq!(is_same_place(other, one), expected, "{other} {one}");
        }
    }
}
