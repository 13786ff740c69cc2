//! Loads policy text as a checked set with annotations and ids. Errors point at the text.

use std::collections::BTreeMap;
use std::str::FromStr as _;
use std::sync::{Arc, OnceLock};

use cedar_policy::pst::{ActionConstraint, PrincipalConstraint, ResourceConstraint};
use cedar_policy::{Effect, Policy, PolicyId, PolicySet};
use doorward_settings::OnNoMatch;
use miette::{Diagnostic, NamedSource, SourceSpan};

use super::annotation::Annotations;
use super::mention::Mentions;
use super::nearest::Conditions;
use super::probe::{Probe, probes};
use super::schema;

/// A named policy text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Name of the file or pack.
    pub name: String,
    /// Cedar text.
    pub text: String,
}

impl Source {
    /// From a name and its text.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }
}

/// Why a set was refused. The last good set stays; without one, every call is denied `policy.load`.
#[derive(Debug, Clone, thiserror::Error, Diagnostic)]
#[error("{message}")]
#[diagnostic(code("policy.load"))]
pub struct LoadError {
    /// The error.
    pub message: String,
    /// How to fix it.
    #[help]
    pub help: Option<String>,
    /// The text.
    #[source_code]
    pub source_code: Arc<NamedSource<String>>,
    /// Position in the text.
    #[label("here")]
    pub span: SourceSpan,
}

impl LoadError {
    pub(crate) fn new(source: &Source, span: SourceSpan, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            help: None,
            source_code: Arc::new(NamedSource::new(&source.name, source.text.clone())),
            span,
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// One policy with everything computed at load.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) policy: Policy,
    pub(crate) effect: Effect,
    pub(crate) annotations: Annotations,
    pub(crate) principal: PrincipalConstraint,
    pub(crate) action: ActionConstraint,
    pub(crate) resource: ResourceConstraint,
    pub(crate) clauses: Vec<cedar_policy::pst::Clause>,
    pub(crate) mentions: Mentions,
    pub(crate) probes: Vec<Probe>,
    /// Name of its source.
    pub(crate) source: String,
    /// Its conditions one by one, computed when a denial is first explained with it.
    pub(crate) conditions: OnceLock<Conditions>,
}

impl Entry {
    /// The approval level it requires: the higher of its annotation and its conditions.
    pub(crate) fn level(&self) -> u8 {
        let said = self.annotations.confirm.as_ref().map_or(1, super::annotation::ConfirmKind::level);
        let second = if self.mentions.second_person { 3 } else { 0 };
        said.max(self.mentions.level).max(second)
    }
}

/// The id of the permit that `on_no_match = "mode"` adds.
pub const MODE_DEFAULT: &str = "mode.default";

/// Names of the sources generated here. No file or pack can have them: file names are paths, packs begin with
/// `pack:`.
const OWN: [&str; 2] = ["\u{1}mode", RULES];

/// The source that the shorthand rules compile to.
pub(crate) const RULES: &str = "\u{1}rules";

/// A set before it is indexed.
#[derive(Debug, Default)]
pub(crate) struct LoadedSet {
    pub(crate) entries: Vec<Entry>,
}

impl LoadedSet {
    /// Reads all sources. [`OnNoMatch::Mode`] adds a permit for everything.
    pub(crate) fn read(sources: &[Source], on_no_match: OnNoMatch) -> Result<Self, LoadError> {
        let mut loaded = Self::default();
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        for source in sources {
            loaded.source(source, &mut seen)?;
        }
        if on_no_match == OnNoMatch::Mode {
            let own =
                Source::new("\u{1}mode", "@id(\"mode.default\")\npermit(principal, action, resource);\n");
            loaded.source(&own, &mut seen)?;
        }
        Ok(loaded)
    }

    fn source(&mut self, source: &Source, seen: &mut BTreeMap<String, String>) -> Result<(), LoadError> {
        let set = PolicySet::from_str(&source.text).map_err(|error| {
            let span = error
                .labels()
                .and_then(|mut labels| labels.next())
                .map_or_else(|| (0, 0).into(), |label| *label.inner());
            let mut refused = LoadError::new(source, span, error.to_string());
            refused.help = error.help().map(|help| help.to_string());
            refused
        })?;
        if let Some(template) = set.templates().next() {
            let span = find(source, template.annotation("id").unwrap_or("?"));
            return Err(LoadError::new(
                source,
                span,
                "a template needs links, which a policy file can't hold",
            )
            .help("write the policy out, with `principal == User::\"…\"`"));
        }
        // Cedar numbers the parsed policies (`policy0`, `policy1`, …) in the order of the files.
        let mut policies: Vec<&Policy> = set.policies().collect();
        policies.sort_by_key(|policy| {
            let id = policy.id().to_string();
            id.strip_prefix("policy").and_then(|number| number.parse::<usize>().ok()).unwrap_or(usize::MAX)
        });
        for policy in policies {
            let entry = self.entry(source, policy)?;
            if let Some(first) = seen.insert(entry.id.clone(), source.name.clone()) {
                let message = format!("two policies are called `{}` (also in {first})", entry.id);
                return Err(LoadError::new(source, find_last(source, &entry.id), message));
            }
            self.entries.push(entry);
        }
        Ok(())
    }

    fn entry(&self, source: &Source, policy: &Policy) -> Result<Entry, LoadError> {
        let Some(id) = policy.annotation("id").filter(|id| !id.is_empty()) else {
            let nth = self.entries.iter().filter(|entry| entry.source == source.name).count() + 1;
            let message = format!("policy number {nth} has no @id");
            return Err(LoadError::new(source, (0, 0).into(), message)
                .help("give every policy a unique name: @id(\"area.what.verdict\")"));
        };
        let is_forbid = policy.effect() == Effect::Forbid;
        let annotations = Annotations::read(policy.annotations(), is_forbid).map_err(|refused| {
            let value = policy.annotation(refused.name).unwrap_or(id).to_owned();
            let message = format!("policy `{id}`: @{} {}", refused.name, refused.why);
            LoadError::new(source, find(source, &value), message)
        })?;
        if !OWN.contains(&source.name.as_str()) && (id == MODE_DEFAULT || id.starts_with("rule.")) {
            let message =
                format!("`{id}`: `mode.default` and names that begin with `rule.` are Doorward's own");
            return Err(LoadError::new(source, find(source, id), message));
        }
        let tree = policy
            .to_pst()
            .map_err(|error| LoadError::new(source, find(source, id), format!("policy `{id}`: {error}")))?;
        let body = tree.body();
        if let Some(misfit) = schema::misfit(body.clauses()) {
            let message = format!("policy `{id}`: {}", misfit.message);
            let span = find_member(source, id, &misfit.path);
            return Err(LoadError::new(source, span, message).help(misfit.help));
        }
        Ok(Entry {
            id: id.to_owned(),
            policy: policy.new_id(PolicyId::new(id)),
            effect: policy.effect(),
            annotations,
            principal: body.principal.clone(),
            action: body.action.clone(),
            resource: body.resource.clone(),
            mentions: Mentions::of(body.clauses()),
            probes: probes(&body.principal, body.clauses()),
            clauses: body.clauses().clone(),
            source: source.name.clone(),
            conditions: OnceLock::new(),
        })
    }
}

fn find(source: &Source, text: &str) -> SourceSpan {
    source.text.find(text).map_or_else(|| (0, 0).into(), |at| (at, text.len()).into())
}

/// Position of the last name of a path in a policy's conditions. Parsed conditions have no positions, so the name is
/// searched for, as an attribute, in the text after the policy's id.
fn find_member(source: &Source, id: &str, path: &[String]) -> SourceSpan {
    let from = source.text.find(&format!("\"{id}\"")).unwrap_or_default();
    let text = source.text.get(from..).unwrap_or_default();
    let name = path.last().map_or("", String::as_str);
    let is_word = |ch: char| ch.is_alphanumeric() || ch == '_';
    let is_attribute = |at: usize| {
        let before = text.get(..at).unwrap_or_default();
        let ends = text.get(at + name.len()..).is_some_and(|rest| !rest.starts_with(is_word));
        ends && (before.trim_end().ends_with(['.', ','])
            || before.ends_with("[\"")
            || before.trim_end().ends_with("has"))
    };
    let at = text.match_indices(name).map(|(at, _)| at).find(|at| is_attribute(*at));
    at.map_or_else(|| find(source, id), |at| (from + at, name.len()).into())
}

fn find_last(source: &Source, text: &str) -> SourceSpan {
    source.text.rfind(text).map_or_else(|| (0, 0).into(), |at| (at, text.len()).into())
}
