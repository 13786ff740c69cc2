//! The table of facts, flows and weights: one TOML file, read once and checked as a whole. A step with an unknown
//! kind of fact is an error, because its rule could never match.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::kind::{Kind, Kinds, MOST_KINDS};
use crate::source::Label;
use crate::speech::{Instruction, KnownHosts, Prose};

/// Consequence of a completed flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Then {
    /// Shown, without effect on the verdict.
    No,
    /// Asks a person, in every mode.
    Ask,
    /// Denied, whatever else allows it.
    Deny,
}

/// What joins the steps of a flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Joined {
    /// The same value, or a file made from it.
    Value,
    /// The same path, host or name.
    Object,
    /// Only the order within the session.
    Session,
}

/// A dangerous sequence of facts.
#[derive(Debug, Clone)]
pub struct FlowRule {
    /// Its name, unique.
    pub id: String,
    /// The finding's code.
    pub code: String,
    /// Description of the last step; `{}` is its object.
    pub says: String,
    /// Kinds of each step; the last one is the judged call.
    pub steps: Vec<Kinds>,
    /// What joins them.
    pub joined: Joined,
    /// The kind of value, for `joined = "value"`.
    pub carries: Option<Label>,
    /// Limit on turns between the earlier steps and the call; 0 is the whole session.
    pub window: u64,
    /// For a flow of one step: how many different objects within the window complete it.
    pub at_least: usize,
    /// Facts that end it.
    pub ended_by: Kinds,
    /// A step doesn't count if the user named its object.
    pub unless_said: bool,
    /// The value is in a file that the last step is about.
    pub in_file: bool,
    /// Consequence.
    pub then: Then,
}

/// A stage of the intent score with the weight of each kind.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signal {
    /// The stage.
    pub stage: String,
    /// Weight of each kind.
    pub kinds: BTreeMap<String, u16>,
    /// The reason for the weights.
    pub evidence: String,
}

/// The object of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum About {
    /// None; the session as a whole.
    #[default]
    Session,
    /// Files that the call writes.
    Writes,
    /// Hosts that it contacts.
    Hosts,
    /// Words of the command that aren't options.
    Operands,
    /// The sources in its words, and the setting that stores them.
    Source,
    /// The setting that it changes.
    Setting,
    /// The services that it starts or stops, or the program itself.
    Service,
    /// Files that it checks against a sum or signature.
    Checked,
    /// Its working folder, and its operands.
    Folder,
    /// The name of a git remote.
    Remote,
    /// The value of `-f` and similar options, and files it writes.
    Made,
    /// The tool.
    Tool,
    /// The folder created by a clone, and its address.
    Clone,
    /// Files that are run.
    Executed,
    /// Paths in its arguments.
    Mentions,
}

/// A part of the effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Effect {
    SecretRead,
    Write,
    WriteOutside,
    Overwrite,
    Loosened,
    Renames,
    Delete,
    Lost,
    Send,
    Contact,
    Install,
    Privilege,
    HistoryLoss,
    Execute,
    Later,
    Steered,
    CheckWeakened,
}

/// A row that defines a fact.
#[derive(Debug, Clone)]
pub(crate) struct FactRow {
    pub(crate) kind: Kind,
    pub(crate) given: FactText,
}

impl FactRow {
    /// Whether a call can do this only by running one of the row's programs.
    pub(crate) fn is_about_programs(&self) -> bool {
        let given = &self.given;
        given.effect.is_none() && given.findings.is_empty() && given.tools.is_empty()
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FactText {
    kind: String,
    #[serde(default)]
    pub(crate) effect: Option<Effect>,
    #[serde(default)]
    pub(crate) paths: Vec<String>,
    #[serde(default)]
    pub(crate) findings: Vec<String>,
    #[serde(default)]
    pub(crate) programs: HashSet<String>,
    #[serde(default)]
    pub(crate) words: Vec<Vec<String>>,
    #[serde(default)]
    pub(crate) tools: Vec<String>,
    #[serde(default)]
    pub(crate) without: Vec<String>,
    #[serde(default)]
    pub(crate) object: About,
    #[serde(default)]
    pub(crate) outside: bool,
    /// Some argument contains one of these.
    #[serde(default)]
    pub(crate) mentions: Vec<String>,
    /// Its object isn't one of the hosts of `[known]`.
    #[serde(default)]
    pub(crate) foreign: bool,
    /// Only if a text of the call names an unknown installation source.
    #[serde(default)]
    pub(crate) foreign_list: bool,
}

/// A program that runs files of the project without naming them.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Runs {
    pub(crate) programs: HashSet<String>,
    #[serde(default)]
    pub(crate) words: Vec<String>,
    pub(crate) files: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct FlowText {
    id: String,
    code: String,
    says: String,
    steps: Vec<Vec<String>>,
    joined: Joined,
    #[serde(default)]
    carries: Option<Label>,
    #[serde(default)]
    window: u64,
    #[serde(default)]
    at_least: usize,
    #[serde(default)]
    ended_by: Vec<String>,
    #[serde(default)]
    unless_said: bool,
    #[serde(default)]
    in_file: bool,
    then: Then,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct TableText {
    kinds: BTreeMap<String, String>,
    fact: Vec<FactText>,
    #[serde(default)]
    runs: Vec<Runs>,
    flow: Vec<FlowText>,
    score: Score,
    #[serde(default)]
    signal: Vec<Signal>,
    #[serde(default)]
    instruction: Instruction,
    #[serde(default)]
    prose: Prose,
    #[serde(default)]
    known: KnownHosts,
    #[serde(default)]
    mark: Vec<MarkWindow>,
}

/// How long a session's mark lasts, in this session and in other sessions of its client.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkWindow {
    /// The mark.
    pub name: String,
    /// Number of calls, in the session where it was set.
    pub turns: u64,
    /// Minutes, for other sessions of the same client process.
    pub minutes: i64,
    /// The reason for the length.
    pub evidence: String,
}

/// Decay of the intent score, and its threshold.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    /// Turns after which a step's weight is halved.
    pub half_life: u64,
    /// From this score on the call's risk is HIGH.
    pub raise: u16,
}

/// Facts, flows and weights.
#[derive(Debug, Clone)]
pub struct Table {
    names: Vec<(String, String)>,
    pub(crate) facts: Vec<FactRow>,
    /// Facts about a program, by its name.
    by_program: HashMap<String, Vec<usize>>,
    pub(crate) runs: Vec<Runs>,
    /// The flows.
    pub flows: Vec<FlowRule>,
    /// The score.
    pub score: Score,
    /// Its weights.
    pub signals: Vec<Signal>,
    /// Weight and stage by kind.
    pub(crate) weights: Vec<(Kind, usize, u16)>,
    /// Kinds that the code refers to by name.
    pub(crate) known: KnownKinds,
    pub(crate) prose: Prose,
    /// How long marks last; a mark without a row lasts as long as its client.
    pub marks: Vec<MarkWindow>,
    instruction: Instruction,
    sources: KnownHosts,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownKinds {
    pub(crate) secret_read: Kind,
    pub(crate) secret_seen: Kind,
    pub(crate) likely_seen: Kind,
    pub(crate) untrusted_seen: Kind,
    pub(crate) instructed: Kind,
    pub(crate) requested: Kind,
    pub(crate) contacted: Kind,
    pub(crate) used: Kind,
    pub(crate) private_seen: Kind,
    pub(crate) identity_seen: Kind,
}

/// Why a table is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// It isn't TOML, or has an unknown member.
    #[error("flows.unreadable: {0}")]
    Unreadable(String),
    /// A name that isn't a kind of fact.
    #[error("flows.unknown_kind: `{word}` in {at} isn't a kind in the table `[kinds]`")]
    UnknownKind {
        /// Where.
        at: String,
        /// The word.
        word: String,
    },
    /// A part of a flow is missing or contradictory.
    #[error("flows.invalid: {at}: {why}")]
    Invalid {
        /// Where.
        at: String,
        /// Why, and what to do.
        why: &'static str,
    },
}

static SHIPPED: LazyLock<Result<Table, TableError>> =
    LazyLock::new(|| Table::parse(include_str!("flows.toml")));

impl Table {
    /// The built-in table.
    ///
    /// # Errors
    /// [`TableError`] for a table that was built wrongly; no call can be judged with it.
    pub fn shipped() -> Result<&'static Self, TableError> {
        SHIPPED.as_ref().map_err(TableError::clone)
    }

    /// Parses a table.
    ///
    /// # Errors
    /// [`TableError`]: the problem and its position.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let text: TableText =
            toml::from_str(text).map_err(|error| TableError::Unreadable(error.to_string()))?;
        let names: Vec<(String, String)> = text.kinds.into_iter().collect();
        if names.len() > MOST_KINDS {
            return Err(TableError::Invalid { at: "[kinds]".to_owned(), why: "has more than 64 kinds" });
        }
        let kind = |at: &str, word: &str| {
            let place = names.iter().position(|(name, _)| name == word);
            place
                .and_then(|place| u8::try_from(place).ok())
                .map(Kind)
                .ok_or_else(|| TableError::UnknownKind { at: at.to_owned(), word: word.to_owned() })
        };
        let known = KnownKinds {
            secret_read: kind("[kinds]", "secret_read")?,
            secret_seen: kind("[kinds]", "secret_seen")?,
            likely_seen: kind("[kinds]", "likely_seen")?,
            untrusted_seen: kind("[kinds]", "untrusted_seen")?,
            instructed: kind("[kinds]", "instructed")?,
            requested: kind("[kinds]", "requested")?,
            contacted: kind("[kinds]", "contacted")?,
            used: kind("[kinds]", "used")?,
            private_seen: kind("[kinds]", "private_seen")?,
            identity_seen: kind("[kinds]", "identity_seen")?,
        };
        let facts = text
            .fact
            .into_iter()
            .map(|given| Ok(FactRow { kind: kind("[[fact]]", &given.kind)?, given }))
            .collect::<Result<Vec<_>, TableError>>()?;
        let flows = text.flow.into_iter().map(|flow| rule(flow, &kind)).collect::<Result<Vec<_>, _>>()?;
        let mut weights = Vec::new();
        for (stage, signal) in text.signal.iter().enumerate() {
            for (name, weight) in &signal.kinds {
                weights.push((kind(&format!("[[signal]] {}", signal.stage), name)?, stage, *weight));
            }
        }
        let ids: BTreeSet<&str> = flows.iter().map(|flow| flow.id.as_str()).collect();
        if ids.len() != flows.len() {
            return Err(TableError::Invalid { at: "[[flow]]".to_owned(), why: "two flows have the same id" });
        }
        let mut by_program: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, row) in facts.iter().enumerate().filter(|(_, row)| row.is_about_programs()) {
            for program in &row.given.programs {
                by_program.entry(program.clone()).or_default().push(at);
            }
        }
        Ok(Self {
            names,
            facts,
            by_program,
            runs: text.runs,
            flows,
            score: text.score,
            signals: text.signal,
            weights,
            known,
            prose: text.prose,
            marks: text.mark,
            instruction: text.instruction,
            sources: text.known,
        })
    }

    /// Whether a text addresses the assistant and not people.
    pub fn instructs(&self, text: &str) -> bool {
        self.instruction.orders(text)
    }

    /// Whether a text of this source asks its reader to do something.
    pub(crate) fn requests(&self, source: &str, text: &str) -> bool {
        self.instruction.asks(source, text)
    }

    /// Whether a line does more than compute.
    pub fn commands(&self, line: &str) -> bool {
        self.instruction.commands(line)
    }

    /// Rows about running this program.
    pub(crate) fn rows_of(&self, program: &str) -> &[usize] {
        self.by_program.get(program).map_or(&[], Vec::as_slice)
    }

    /// Whether this is the address of a well-known package host.
    pub(crate) fn is_known_source(&self, address: &str) -> bool {
        self.sources.holds(address)
    }

    /// Whether a package list or lock file may contain this address.
    pub(crate) fn may_be_listed(&self, address: &str) -> bool {
        self.sources.may_be_listed(address)
    }

    /// The name of a kind.
    #[must_use]
    pub fn name(&self, kind: Kind) -> &str {
        self.names.get(usize::from(kind.0)).map_or("", |(name, _)| name)
    }

    /// The kind with this name.
    #[must_use]
    pub fn kind(&self, word: &str) -> Option<Kind> {
        let place = self.names.iter().position(|(name, _)| name == word)?;
        u8::try_from(place).ok().map(Kind)
    }

    /// The names of all kinds.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|(name, _)| name.as_str())
    }

    /// What a fact of a kind did, in words.
    #[must_use]
    pub fn phrase(&self, kind: Kind, object: &str) -> String {
        let phrase = self.names.get(usize::from(kind.0)).map_or("", |(_, phrase)| phrase);
        phrase.replace("{}", if object.is_empty() { "something" } else { object })
    }
}

fn rule(
    flow: FlowText,
    kind: &impl Fn(&str, &str) -> Result<Kind, TableError>,
) -> Result<FlowRule, TableError> {
    let at = format!("[[flow]] {}", flow.id);
    let invalid = |why| TableError::Invalid { at: at.clone(), why };
    let kinds = |words: &[String]| {
        words.iter().try_fold(Kinds::default(), |kinds, word| Ok(kinds.with(kind(&at, word)?)))
    };
    let steps = flow.steps.iter().map(|words| kinds(words)).collect::<Result<Vec<_>, TableError>>()?;
    let ended_by = kinds(&flow.ended_by)?;
    if flow.steps.is_empty() || flow.steps.iter().any(Vec::is_empty) {
        return Err(invalid("needs at least one step, and each step a kind"));
    }
    if (flow.joined == Joined::Value) != flow.carries.is_some() {
        return Err(invalid(
            "`carries` says which values travel: it belongs to `joined = \"value\"`, and only there",
        ));
    }
    if flow.in_file && flow.joined != Joined::Value {
        return Err(invalid("`in_file` is about values: it belongs to `joined = \"value\"`"));
    }
    if flow.steps.len() < 2 && flow.at_least < 1 {
        return Err(invalid("one step alone is no flow; say how many with `at_least`"));
    }
    if !flow.code.starts_with("flow.") {
        return Err(invalid("`code` has to begin with `flow.`"));
    }
    Ok(FlowRule {
        id: flow.id,
        code: flow.code,
        says: flow.says,
        steps,
        joined: flow.joined,
        carries: flow.carries,
        window: flow.window,
        at_least: flow.at_least,
        ended_by,
        unless_said: flow.unless_said,
        in_file: flow.in_file,
        then: flow.then,
    })
}

/// Whether a text fits a pattern in which `*` stands for any characters.
pub fn fits(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(first) = parts.next() else { return text.is_empty() };
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_is_whole() {
        let table = Table::shipped().unwrap();
        assert!(table.flows.len() >= 16, "{}", table.flows.len());
        for flow in &table.flows {
            // Every kind needs a row that makes it, except those that the code derives from results.
            let known = &table.known;
            let seen = [
                known.secret_seen,
                known.likely_seen,
                known.untrusted_seen,
                known.instructed,
                known.requested,
                known.private_seen,
                known.identity_seen,
            ];
            for kind in flow.steps.iter().flat_map(|kinds| kinds.each()).chain(flow.ended_by.each()) {
                let made = table.facts.iter().any(|row| row.kind == kind) || seen.contains(&kind);
                assert!(made, "{}: {}", flow.id, table.name(kind));
            }
        }
        assert!(table.signals.iter().all(|signal| signal.evidence.len() > 20));
    }

    #[test]
    fn mistakes_are_named() {
        let base = "[kinds]\nsecret_read=''\nsecret_seen=''\nlikely_seen=''\nused=''\nuntrusted_seen=''\n\
            instructed=''\nrequested=''\ncontacted=''\nprivate_seen=''\nidentity_seen=''\n[score]\nhalf_life=1\n\
            raise=1\n";
        let flow = |rest: &str| {
            let text = format!(
                "{base}[[fact]]\nkind='secret_read'\n[[flow]]\nid='x'\ncode='flow.x'\nsays=''\n{rest}"
            );
            Table::parse(&text).unwrap_err().to_string()
        };
        let steps = "steps=[['secret_read'],['secret_seen']]\nthen='ask'\n";
        for (rest, why) in [
            (
                "steps=[['sent']]\njoined='session'\nthen='ask'".to_owned(),
                "flows.unknown_kind: `sent` in [[flow]] x",
            ),
            (format!("{steps}joined='value'"), "`carries` says"),
            ("steps=[['secret_read']]\njoined='session'\nthen='ask'".to_owned(), "one step alone is no flow"),
            (format!("{steps}joined='session'\ncolour=1"), "colour"),
            (format!("{steps}joined='session'\nwindow='long'"), "flows.unreadable"),
        ] {
            let error = flow(&rest);
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn patterns_fit() {
        for (pattern, text, expected) in [
            ("*/Makefile", "/w/Makefile", true),
            ("*/Makefile", "/w/Makefile.old", false),
            ("*registry*", "registry", true),
            ("/var/log/*", "/var/log/a/b", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxcyyb", false),
            ("x*", "x", true),
            ("get", "get", true),
            ("get", "gets", false),
        ] {
            assert_eq!(fits(pattern, text), expected, "{pattern} {text}");
        }
    }
}
