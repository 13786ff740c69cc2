//! Rules in shorthand: `allow`, `ask` and `deny` lists over parsed commands, paths, hosts and tools.
//!
//! Cedar can't iterate over lists, so matching happens here, on parsed commands and never on raw text. The verdict is
//! still Cedar's: the rules compile to policies over `context.rules`, so deny beats ask beats allow like everywhere
//! else.
//!
//! An **allow** grants a program's ordinary use: every simple command of the call must be covered or proven
//! read-only, and nothing may be unknown. A **deny** or **ask** also applies through wrappers, interpreters and
//! alternative spellings; if the denied program could be hidden in an unknown part, the call is at least confirmed.

mod command;
mod compiled;
mod covering;
mod deletes;
mod glob;
mod host;
mod lint;
mod parse;
mod task;
mod typed;

use doorward_core::effect::Inspected;
use doorward_core::finding::DECODED;
use doorward_core::intent::{Code, Origin, SimpleCommand};
use doorward_core::json::{Object, Value};
use doorward_core::tool::{CanonicalTool, ToolClass, ToolName};
use doorward_settings::{Only, Rules};
use jiff::Timestamp;

use crate::cedar::{LoadError, RULES, Source};
use crate::facts::RuleFacts;

use command::{RuleMatch, WordRule};
use glob::{PathRule, Places};
use host::HostRule;
pub use lint::Programs;
pub use task::only_writes;
pub use typed::{common, generalised};

/// Which list a rule is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum List {
    /// `allow`
    Allow,
    /// `ask`
    Ask,
    /// `deny`
    Deny,
}

impl List {
    /// Its name in the settings.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// A rule as written, with its list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleSource {
    /// Its list.
    pub list: List,
    /// The shorthand.
    pub text: String,
    /// Shown to people when the rule applies.
    pub reason: Option<String>,
    /// Examples that it must match.
    pub matches: Vec<String>,
    /// Examples that it must not match.
    pub not_matches: Vec<String>,
    /// The callers, projects and sessions it applies to.
    pub only: Only,
    /// When it expires (exclusive), as RFC 3339.
    pub until: Option<String>,
    /// Whether it covers a command line only if rules cover every command of it.
    pub alone: bool,
    /// Whether it is a person's grant for a task, which covers everyday calls only.
    pub task: bool,
    /// Options that make an ask rule not apply, because the command then changes nothing (`--dry-run`).
    pub unless: &'static [&'static str],
    /// Whether it is the question of a built-in pack, which a user's allow rule for that form lifts.
    pub of_pack: bool,
}

impl RuleSource {
    /// A rule for all calls, without expiry.
    #[must_use]
    pub fn new(list: List, text: impl Into<String>) -> Self {
        Self {
            list,
            text: text.into(),
            reason: None,
            matches: Vec::new(),
            not_matches: Vec::new(),
            only: Only::default(),
            until: None,
            alone: false,
            task: false,
            unless: &[],
            of_pack: false,
        }
    }
}

/// All rules as written, and the base of their paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleSources {
    /// The rules.
    pub rules: Vec<RuleSource>,
    /// The folder meant by `~/`. If `None`, a deny matches any home folder and an allow none.
    pub home: Option<String>,
}

impl RuleSources {
    /// From the settings.
    #[must_use]
    pub fn of(rules: &Rules, home: Option<String>) -> Self {
        let list = |list: List, rules: &[doorward_settings::Rule]| -> Vec<RuleSource> {
            rules
                .iter()
                .map(|rule| {
                    let full = match rule {
                        doorward_settings::Rule::Plain(text) => {
                            doorward_settings::RuleText { rule: text.clone(), ..Default::default() }
                        }
                        doorward_settings::Rule::Full(full) => (**full).clone(),
                    };
                    RuleSource {
                        list,
                        text: full.rule,
                        reason: full.reason,
                        matches: full.matches,
                        not_matches: full.not_matches,
                        only: full.only.unwrap_or_default(),
                        until: full.until,
                        alone: full.alone,
                        task: full.task,
                        unless: &[],
                        of_pack: false,
                    }
                })
                .collect()
        };
        let mut all = list(List::Allow, &rules.allow);
        all.extend(list(List::Ask, &rules.ask));
        all.extend(list(List::Deny, &rules.deny));
        Self { rules: all, home }
    }

    /// From three lists of shorthands.
    #[must_use]
    pub fn lists(allow: &[&str], ask: &[&str], deny: &[&str]) -> Self {
        let list = |list: List, texts: &[&str]| -> Vec<RuleSource> {
            texts.iter().map(|text| RuleSource::new(list, *text)).collect()
        };
        let mut rules = list(List::Allow, allow);
        rules.extend(list(List::Ask, ask));
        rules.extend(list(List::Deny, deny));
        Self { rules, home: None }
    }
}

/// Of [`reach`]: the rule is for a folder that it names, with all below. Too wide for good, not for a task.
pub const WHOLE_FOLDER: &str = "whole_folder";

fn names_a_folder(text: &str) -> bool {
    text.split_once('(').is_some_and(|(_, folder)| folder.chars().any(char::is_alphanumeric))
}

/// How far an allow rule reaches beyond one call, as codes for display before it is saved. `too_wide`: it isn't
/// narrow at all.
///
/// # Errors
/// [`LoadError`] if the text isn't a rule.
pub fn reach(text: &str) -> Result<Vec<&'static str>, LoadError> {
    let source = RuleSource::new(List::Allow, text);
    let set = RuleSet::compile(&RuleSources { rules: vec![source], home: None })?;
    let star = text.contains('*');
    Ok(set
        .rules
        .iter()
        .flat_map(|rule| match &rule.subject {
            Subject::Tool(_) | Subject::Class(_) | Subject::Named(_) | Subject::Mcp { tool: None, .. } => {
                vec!["too_wide"]
            }
            Subject::Mcp { tool: Some(_), .. } => vec!["any_arguments"],
            Subject::Call { .. } if text.contains("<path>") => vec!["reaches_new_pages"],
            Subject::Call { .. } if text.contains("<name>") => vec!["reaches_new_files"],
            Subject::Call { .. } => Vec::new(),
            Subject::Words(words) if words.is_exact() && text.contains("<path>") => vec!["reaches_new_pages"],
            Subject::Words(words) if words.is_exact() && text.contains("<name>") => vec!["reaches_new_files"],
            Subject::Words(words) if words.is_exact() => Vec::new(),
            Subject::Words(words) if words.len() < 2 => vec!["too_wide"],
            Subject::Words(_) => vec!["any_further_words"],
            Subject::Deletes(_) if star => vec!["reaches_new_files"],
            Subject::Reads(_) | Subject::Edits(_) if text.contains("**") => {
                let folder = text.split_once("**").is_some_and(|(folder, _)| names_a_folder(folder));
                if folder { vec!["too_wide", WHOLE_FOLDER] } else { vec!["too_wide"] }
            }
            Subject::Reads(_) if star => vec!["reaches_new_files"],
            Subject::Edits(_) if star => vec!["adds_write"],
            Subject::Hosts(_) if star => vec!["reaches_new_host"],
            Subject::Reads(_) | Subject::Edits(_) | Subject::Deletes(_) | Subject::Hosts(_) => Vec::new(),
        })
        .collect())
}

/// What a rule matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    /// Every call of this tool.
    Tool(CanonicalTool),
    /// Every call of a class of tools (`Edit` alone).
    Class(ToolClass),
    /// Another tool, by name.
    Named(ToolName),
    /// Simple commands.
    Words(WordRule),
    /// Reads of files.
    Reads(PathRule),
    /// Writes and deletes of files.
    Edits(PathRule),
    /// Deletes of files.
    Deletes(PathRule),
    /// Hosts.
    Hosts(HostRule),
    /// MCP tools: one tool of a server, or all.
    Mcp {
        /// The server.
        server: String,
        /// The tool; `None` for all.
        tool: Option<String>,
    },
    /// One tool with these arguments, in which typed wildcards stand for varying parts.
    Call {
        /// The tool.
        tool: ToolName,
        /// Exactly these arguments.
        args: Object,
    },
}

/// A rule in compiled form.
#[derive(Debug)]
struct Compiled {
    source: RuleSource,
    subject: Subject,
    /// Its index in its list.
    place: usize,
    until: Option<Timestamp>,
}

/// Id of the policy made from the settings' allow rules. Packs have no allow rules, so this policy is the user's own
/// approval.
pub const USER_ALLOW: &str = "rule.allow";

/// All rules in compiled form.
#[derive(Debug, Default)]
pub struct RuleSet {
    rules: Vec<Compiled>,
    home: Option<String>,
    /// Its allow rules that name a form, if there are any.
    naming: Option<Box<Self>>,
}

impl Subject {
    /// Whether it names a form of a command, a file or a host, not just a program or everything. Such a rule is the
    /// user's approval of exactly what a pack asks about (`shell(cargo publish)`, not `shell(cargo *)`).
    fn names_a_form(&self, text: &str) -> bool {
        match self {
            Self::Words(rule) => rule.names_a_form(),
            Self::Reads(_) | Self::Edits(_) | Self::Hosts(_) => {
                let inner = text.split_once('(').map_or("", |(_, inner)| inner.trim_end_matches(')'));
                inner.chars().any(char::is_alphanumeric)
            }
            Self::Call { .. } => true,
            // Only settles the question about deletes, which has a fact of its own.
            Self::Deletes(_) => false,
            Self::Mcp { .. } | Self::Tool(_) | Self::Class(_) | Self::Named(_) => false,
        }
    }
}

impl RuleSet {
    /// Compiles all rules and checks their examples.
    ///
    /// # Errors
    /// [`LoadError`] with a suggestion.
    pub fn compile(sources: &RuleSources) -> Result<Self, LoadError> {
        let mut set = Self::read(sources)?;
        let naming = set.rules.iter().filter(|rule| {
            rule.source.list == List::Allow
                && !rule.source.task
                && rule.subject.names_a_form(&rule.source.text)
        });
        let rules: Vec<RuleSource> = naming.map(|rule| rule.source.clone()).collect();
        if !rules.is_empty() {
            let home = sources.home.clone();
            set.naming = Some(Box::new(Self::read(&RuleSources { rules, home })?));
        }
        Ok(set)
    }

    fn read(sources: &RuleSources) -> Result<Self, LoadError> {
        let mut set = Self { rules: Vec::new(), home: sources.home.clone(), naming: None };
        for source in &sources.rules {
            let place = set.rules.iter().filter(|rule| rule.source.list == source.list).count();
            let subject = parse::rule(source).map_err(|refused| {
                let name = format!("rules.{}[{place}]", source.list.as_str());
                let text = Source::new(name, source.text.clone());
                let error = LoadError::new(&text, (0, source.text.len()).into(), refused.message);
                match refused.help {
                    Some(help) => error.help(help),
                    None => error,
                }
            })?;
            let until =
                source.until.as_deref().map(str::parse::<Timestamp>).transpose().map_err(|error| {
                    let name = format!("rules.{}[{place}].until", source.list.as_str());
                    let text = Source::new(name, source.until.clone().unwrap_or_default());
                    LoadError::new(&text, (0, text.text.len()).into(), format!("no RFC 3339 time: {error}"))
                })?;
            let rule = Compiled { source: source.clone(), subject, place, until };
            rule.check_examples(&set.places_of_examples())?;
            set.rules.push(rule);
        }
        Ok(set)
    }

    /// Whether there are no rules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Everything that defines the rules, for the identity of a set.
    #[allow(clippy::type_complexity)]
    pub(crate) fn texts(&self) -> Vec<(&'static str, &str, &Only, Option<&str>, bool, bool)> {
        let sources = self.rules.iter().map(|rule| &rule.source);
        sources
            .map(|own| {
                let until = own.until.as_deref();
                (own.list.as_str(), own.text.as_str(), &own.only, until, own.alone, own.task)
            })
            .collect()
    }

    /// The policies that the rules compile to.
    pub(crate) fn policies(&self) -> Vec<Source> {
        use std::fmt::Write as _;
        let mut text = String::new();
        if self.rules.iter().any(|rule| rule.source.list == List::Allow) {
            let when = "permit(principal, action, resource) when { context.rules.covered };";
            // Writing to a String can't fail.
            let _ =
                writeln!(text, "@id(\"{USER_ALLOW}\") @reason(\"An allow rule of yours covers it.\") {when}");
        }
        for rule in &self.rules {
            let place = rule.place;
            let shown = &rule.source.text;
            let reason = |word: &str| {
                let own =
                    rule.source.reason.as_deref().map(|reason| format!("{reason} ")).unwrap_or_default();
                quoted(&format!("{own}Rule {word} {shown}."))
            };
            // A pack's rule has the same content as the finding that the pack asks about.
            let alone = if rule.source.of_pack { " @told(\"alone\")" } else { "" };
            let ask = "unless { context has approval && context.approval.level >= 1 }";
            let scope = "forbid(principal, action, resource)";
            // Writing to a String can't fail.
            let _ = match rule.source.list {
                List::Allow => continue,
                List::Ask => writeln!(
                    text,
                    "@id(\"rule.ask.{place}\"){alone} @confirm(\"click\") @reason({}) {scope} when {{ \
                     context.rules.matched.contains(\"ask:{place}\") }} {ask};",
                    reason("asks about"),
                ),
                List::Deny => writeln!(
                    text,
                    "@id(\"rule.deny.{place}\") @reason({}) {scope} \
                     when {{ context.rules.matched.contains(\"deny:{place}\") }};\n\
                     @id(\"rule.ask.hidden.{place}\") @confirm(\"click\") @severity(\"HIGH\") @reason({}) {scope} \
                     when {{ context.rules.matched.contains(\"hidden:{place}\") }} {ask};",
                    reason("denies"),
                    quoted(&format!("{UNSEEN}, and it could be what rule {shown} denies.")),
                ),
            };
        }
        if self.rules.iter().any(|rule| rule.source.list == List::Ask) {
            let reason = format!("{UNSEEN}, so it may be something that a rule asks about.");
            let _ = writeln!(
                text,
                "@id(\"rule.ask.maybe\") @told(\"alone\") @confirm(\"click\") @reason({}) \
                 forbid(principal, action, resource) when {{ context.rules.matched.contains(\"{MAYBE}\") }} \
                 unless {{ context has approval && context.approval.level >= 1 }};",
                quoted(&reason),
            );
        }
        if text.is_empty() { Vec::new() } else { vec![Source::new(RULES, text)] }
    }

    /// The rules' results for a call.
    #[must_use]
    pub fn facts(&self, inspected: &Inspected) -> RuleFacts {
        let deletable = deletes::are_bounded(inspected);
        if self.rules.is_empty() {
            return RuleFacts { deletable, ..RuleFacts::default() };
        }
        let places = Places::of(&inspected.call, self.home.as_deref());
        let named = self.naming.as_ref().is_some_and(|naming| naming.covers(inspected, &places));
        let covered = self.covers(inspected, &places);
        let deletes = self.settles_deletes(inspected, &places);
        let mut facts = RuleFacts { covered, named, deletes, deletable, ..RuleFacts::default() };
        for rule in self.rules.iter().filter(|rule| rule.is_for(inspected)) {
            let hit = match rule.source.list {
                List::Allow => continue,
                List::Ask | List::Deny => rule.hits(inspected, &places),
            };
            match (rule.source.list, hit) {
                (List::Deny, RuleMatch::Sure) => facts.matched.insert(format!("deny:{}", rule.place)),
                (List::Deny, RuleMatch::Maybe) => facts.matched.insert(format!("hidden:{}", rule.place)),
                (List::Ask, RuleMatch::Sure) if rule.source.of_pack && named => false,
                (List::Ask, RuleMatch::Sure) => facts.matched.insert(format!("ask:{}", rule.place)),
                (List::Ask, RuleMatch::Maybe) if self.expects_hiding(inspected) => false,
                (List::Ask, RuleMatch::Maybe) => facts.matched.insert(MAYBE.to_owned()),
                _ => false,
            };
        }
        let maybe = |name: &String| name == MAYBE || name.starts_with("hidden:");
        if facts.matched.iter().any(maybe) {
            facts.unseen = unseen(inspected);
        }
        facts
    }

    /// Whether allow rules name every program of the call that hides what it runs. The user who allowed the program
    /// knows that its code can't be analysed.
    fn expects_hiding(&self, inspected: &Inspected) -> bool {
        let findings = &inspected.findings;
        let spans = || {
            findings
                .iter()
                .filter(|own| HIDING.contains(&own.code.as_ref()))
                .filter_map(|finding| finding.span)
        };
        let hides = |command: &&SimpleCommand| {
            is_made_up(command)
                || command.unknown_words.contains(&0)
                || spans().any(|span| span.start < command.span.end && command.span.start < span.end)
        };
        let mut hiding = inspected.effects.executes.iter().filter(hides).peekable();
        let named = |command: &SimpleCommand| {
            self.allows(inspected).any(|subject| match subject {
                Subject::Words(rule) => rule.program().is_some_and(|program| {
                    command.program == program || command.via.iter().any(|via| via == program)
                }),
                _ => false,
            })
        };
        hiding.peek().is_some() && hiding.all(named)
    }

    fn allows(&self, inspected: &Inspected) -> impl Iterator<Item = &Subject> {
        self.allowing(inspected).map(|rule| &rule.subject)
    }

    fn allowing(&self, inspected: &Inspected) -> impl Iterator<Item = &Compiled> {
        let own = |rule: &&Compiled| {
            rule.source.list == List::Allow
                && !rule.source.of_pack
                && rule.is_for(inspected)
                && (!rule.source.task || task::is_everyday(inspected))
        };
        self.rules.iter().filter(own)
    }

    fn places_of_examples(&self) -> Places {
        Places::example(self.home.as_deref())
    }
}

/// Description of the part that can't be analysed, capitalised.
fn unseen(inspected: &Inspected) -> Option<String> {
    let hiding = inspected.findings.iter().find(|finding| HIDING.contains(&finding.code.as_ref()));
    let told = hiding
        .map(|finding| finding.message.trim_end_matches('.').to_owned())
        .or_else(|| inspected.effects.unknown.first().map(|unknown| unknown.reason.clone()));
    let told = told.or_else(|| {
        let command = inspected.effects.executes.iter().find(|command| !command.unknown_words.is_empty())?;
        Some(format!("an argument of `{}` is only known when it runs", command.program))
    })?;
    let mut letters = told.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect())
}

/// Whether the executed code can't be seen: it comes from the network or is generated at run time.
fn is_made_up(command: &SimpleCommand) -> bool {
    matches!(command.origin, Origin::Network | Origin::Generated)
}

impl Subject {
    fn is_tool(&self, inspected: &Inspected) -> bool {
        let tool = &inspected.call.tool;
        match self {
            Self::Tool(own) => tool == own,
            Self::Class(class) => inspected.call.class() == *class,
            Self::Named(own) => own == tool,
            Self::Mcp { server, tool: one } => match tool.mcp_parts() {
                Some((own, name)) => own == server && one.as_deref().is_none_or(|one| names_tool(one, name)),
                None => false,
            },
            Self::Call { tool: own, args } => own == tool && same_members(args, &inspected.call.args),
            _ => false,
        }
    }
}

/// Whether the rule names this tool: `prompts/*` and `resources/*` match all of their kind.
fn names_tool(rule: &str, name: &str) -> bool {
    rule.strip_suffix('*').map_or(rule == name, |kind| name.starts_with(kind))
}

/// Whether a call's arguments equal the rule's, member for member.
fn same_members(wanted: &Object, given: &Object) -> bool {
    wanted.len() == given.len()
        && wanted.iter().all(|(key, wanted)| given.get(key).is_some_and(|given| same(wanted, given)))
}

fn same(wanted: &Value, given: &Value) -> bool {
    match (wanted, given) {
        (Value::String(wanted), Value::String(given)) => typed::fits(wanted, given),
        (Value::Object(wanted), Value::Object(given)) => same_members(wanted, given),
        (Value::Array(wanted), Value::Array(given)) => {
            wanted.len() == given.len() && wanted.iter().zip(given).all(|(wanted, given)| same(wanted, given))
        }
        _ => wanted == given,
    }
}

/// One entry for all ask rules that an unreadable command could match: one question instead of one per rule.
const MAYBE: &str = "ask:maybe";

/// Placeholder in a reason, replaced by the description of the part that can't be analysed.
pub(crate) const UNSEEN: &str = "What runs here can't be told";

/// Findings that mean the command differs from what its text shows.
const HIDING: &[&str] = &["shell.obfuscated", "shell.generated_code", "shell.remote_code"];

/// Whether part of what runs is unknown. Decoded or assembled text counts as known if every word of every command is
/// known, since rules are matched with the result. Decoded code of another language always counts as unknown, because
/// it could generate more code.
fn hides(inspected: &Inspected) -> bool {
    let effects = &inspected.effects;
    let is_in_words = |command: &SimpleCommand| {
        command.unknown_words.is_empty() && !matches!(command.code, Code::Language(_))
    };
    let is_known = !effects.executes.is_empty() && effects.executes.iter().all(is_in_words);
    let counts = |said: &str| !(is_known && said == DECODED);
    let hiding = inspected.findings.iter().filter(|finding| HIDING.contains(&finding.code.as_ref()));
    hiding.map(|finding| finding.message.as_str()).any(counts)
        || effects.unknown.iter().map(|unknown| unknown.reason.as_str()).any(counts)
}

/// The text as a Cedar string literal.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for ch in text.chars() {
        match ch {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests;
