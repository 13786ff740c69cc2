//! The annotations of a policy: id, reason, severity, kind of confirmation, obligations.
//!
//! An annotation with an invalid value is refused at load. Otherwise the error would only show when the obligation is
//! due.

use std::collections::BTreeMap;

use doorward_core::decision::{Obligation, Tier};
use doorward_core::finding::Severity;

/// How a confirm rule must be answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfirmKind {
    /// `click`: one answer.
    Click,
    /// `type:<phrase>`
    Type(String),
    /// `second_person`: a person other than the principal.
    SecondPerson,
    /// `group:<g>`: a member of the group.
    Group(String),
}

impl ConfirmKind {
    /// The approval level it requires.
    #[must_use]
    pub const fn level(&self) -> u8 {
        match self {
            Self::Click | Self::Group(_) => 1,
            Self::Type(_) => 2,
            Self::SecondPerson => 3,
        }
    }

    /// In the form of the annotation.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Click => "click".to_owned(),
            Self::Type(phrase) => format!("type:{phrase}"),
            Self::SecondPerson => "second_person".to_owned(),
            Self::Group(group) => format!("group:{group}"),
        }
    }
}

/// The annotations of one policy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Annotations {
    /// `@reason`
    pub reason: Option<String>,
    /// `@told("alone")`: the reason is shown only if no other rule asks.
    pub told_alone: bool,
    /// `@finding("shell.delete")`: codes of findings (`flow.*`: the whole family) whose messages replace the reason.
    pub findings: Vec<String>,
    /// `@severity`
    pub severity: Option<Severity>,
    /// `@confirm`
    pub confirm: Option<ConfirmKind>,
    /// `@delegate("guardian")`
    pub delegable: bool,
    /// `@obligations`
    pub obligations: Vec<Obligation>,
    /// `@mode("log_only")`
    pub log_only: bool,
    /// Unknown annotations.
    pub unknown: Vec<String>,
}

/// The known annotations.
pub(super) const KNOWN: &[&str] =
    &["id", "reason", "told", "finding", "severity", "confirm", "delegate", "obligations", "mode"];

/// A refused annotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedAnnotation {
    /// Name of the annotation.
    pub name: &'static str,
    /// Why it is refused.
    pub why: String,
}

impl Annotations {
    /// Reads the annotations of a policy.
    ///
    /// # Errors
    /// `RefusedAnnotation` for an invalid value.
    pub fn read<'a>(
        pairs: impl Iterator<Item = (&'a str, &'a str)>,
        is_forbid: bool,
    ) -> Result<Self, RefusedAnnotation> {
        let all: BTreeMap<&str, &str> = pairs.collect();
        let mut read = Self {
            unknown: all.keys().filter(|name| !KNOWN.contains(name)).map(|name| (*name).to_owned()).collect(),
            reason: all.get("reason").map(|text| (*text).to_owned()),
            findings: all
                .get("finding")
                .into_iter()
                .flat_map(|codes| codes.split_whitespace().map(str::to_owned))
                .collect(),
            ..Self::default()
        };
        read.told_alone = match all.get("told") {
            None => false,
            Some(&"alone") => true,
            Some(word) => {
                return Err(RefusedAnnotation { name: "told", why: format!("`{word}` isn't `alone`") });
            }
        };
        if let Some(word) = all.get("severity") {
            read.severity = Some(severity(word)?);
        }
        if let Some(word) = all.get("confirm") {
            if !is_forbid {
                return Err(RefusedAnnotation {
                    name: "confirm",
                    why: "belongs on a forbid with `unless { context has approval … }`".to_owned(),
                });
            }
            read.confirm = Some(confirm(word)?);
        }
        if let Some(word) = all.get("delegate") {
            if *word != "guardian" {
                return Err(RefusedAnnotation {
                    name: "delegate",
                    why: format!("`{word}` isn't `guardian`"),
                });
            }
            if read.confirm != Some(ConfirmKind::Click) {
                let why = "only a confirm rule that a click settles can be delegated".to_owned();
                return Err(RefusedAnnotation { name: "delegate", why });
            }
            read.delegable = true;
        }
        if let Some(text) = all.get("obligations") {
            read.obligations = obligations(text)?;
        }
        read.log_only = match all.get("mode") {
            None | Some(&"active") => false,
            Some(&"log_only") => true,
            Some(other) => {
                let why = format!("`{other}` is neither `active` nor `log_only`");
                return Err(RefusedAnnotation { name: "mode", why });
            }
        };
        Ok(read)
    }
}

fn severity(word: &str) -> Result<Severity, RefusedAnnotation> {
    [Severity::Low, Severity::Medium, Severity::High, Severity::Critical]
        .into_iter()
        .find(|severity| severity.as_str() == word)
        .ok_or_else(|| RefusedAnnotation {
            name: "severity",
            why: format!("`{word}` isn't one of LOW, MEDIUM, HIGH, CRITICAL"),
        })
}

fn confirm(word: &str) -> Result<ConfirmKind, RefusedAnnotation> {
    let refused = |why: &str| Err(RefusedAnnotation { name: "confirm", why: why.to_owned() });
    match word.split_once(':') {
        None if word == "click" => Ok(ConfirmKind::Click),
        None if word == "second_person" => Ok(ConfirmKind::SecondPerson),
        Some(("type", "")) => refused("`type:` needs the phrase to type"),
        Some(("type", phrase)) => Ok(ConfirmKind::Type(phrase.to_owned())),
        Some(("group", "")) => refused("`group:` needs a group"),
        Some(("group", group)) => Ok(ConfirmKind::Group(group.to_owned())),
        _ => refused("is `click`, `type:<phrase>`, `second_person` or `group:<group>`"),
    }
}

/// Parses `name, name(key=value, …), …`.
fn obligations(text: &str) -> Result<Vec<Obligation>, RefusedAnnotation> {
    let mut found = Vec::new();
    for item in split_outside(text) {
        let item = item.trim();
        if item.is_empty() {
            return Err(refuse("an empty obligation"));
        }
        let (name, inside) = match item.split_once('(') {
            None => (item, ""),
            Some((name, rest)) => {
                let inside = rest.strip_suffix(')').ok_or_else(|| refuse("a parenthesis isn't closed"))?;
                (name.trim(), inside)
            }
        };
        let mut arguments = BTreeMap::new();
        for pair in inside.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (key, value) =
                pair.split_once('=').ok_or_else(|| refuse(&format!("`{pair}` isn't key=value")))?;
            if arguments.insert(key.trim(), value.trim()).is_some() {
                return Err(refuse(&format!("`{key}` twice")));
            }
        }
        found.push(obligation(name, arguments)?);
    }
    Ok(found)
}

/// Builds one obligation from its name and arguments.
pub(crate) fn obligation(
    name: &str,
    mut arguments: BTreeMap<&str, &str>,
) -> Result<Obligation, RefusedAnnotation> {
    let made = match name {
        "log_output" => Obligation::LogOutput,
        "redact_output" => Obligation::RedactOutput,
        "rewrite_args" => Obligation::RewriteArgs,
        "notify" => match arguments.remove("to") {
            Some(to) if !to.is_empty() => {
                Obligation::Notify { to: to.to_owned(), body: arguments.remove("body").map(str::to_owned) }
            }
            _ => return Err(refuse("notify(to=…) needs whom to tell")),
        },
        "expires" => {
            let at = arguments.remove("at").ok_or_else(|| refuse("expires(at=…) needs a time"))?;
            Obligation::Expires { at: at.parse().map_err(|_| refuse(&format!("`{at}` isn't a time")))? }
        }
        "sandbox" => {
            let min_tier = match arguments.remove("min_tier") {
                None => Tier::Limited,
                Some(word) => [Tier::None, Tier::Limited, Tier::Restricted, Tier::Full]
                    .into_iter()
                    .find(|tier| tier.as_str() == word)
                    .ok_or_else(|| {
                        refuse(&format!("min_tier `{word}` isn't one of full, restricted, limited, none"))
                    })?,
            };
            let wall_s = arguments.remove("wall_s").map(number).transpose()?;
            let memory_mb = arguments.remove("memory_mb").map(number).transpose()?;
            let hosts = arguments
                .remove("hosts")
                .map(|hosts| hosts.split_whitespace().map(str::to_owned).collect::<Vec<String>>());
            Obligation::Sandbox { min_tier, wall_s, memory_mb, hosts }
        }
        other => return Err(refuse(&format!("`{other}` isn't a known obligation"))),
    };
    match arguments.keys().next() {
        Some(key) => Err(refuse(&format!("{name} has no `{key}`"))),
        None => Ok(made),
    }
}

fn number(text: &str) -> Result<u32, RefusedAnnotation> {
    text.parse().map_err(|_| refuse(&format!("`{text}` isn't a whole number")))
}

fn refuse(why: &str) -> RefusedAnnotation {
    RefusedAnnotation { name: "obligations", why: why.to_owned() }
}

/// Splits at commas outside parentheses.
fn split_outside(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0_i32;
    let mut start = 0;
    for (at, ch) in text.char_indices() {
        match ch {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.extend(text.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(start..));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)], is_forbid: bool) -> Result<Annotations, RefusedAnnotation> {
        Annotations::read(pairs.iter().copied(), is_forbid)
    }

    #[test]
    fn obligations_are_read_with_their_arguments() {
        let text = "sandbox(min_tier=full, wall_s=30, memory_mb=512, hosts=api.example.com b.example.com), \
            log_output, notify(to=ops@example.com)";
        let read = read(&[("obligations", text)], false).unwrap();
        assert_eq!(
            read.obligations,
            [
                Obligation::Sandbox {
                    min_tier: Tier::Full,
                    wall_s: Some(30),
                    memory_mb: Some(512),
                    hosts: Some(vec!["api.example.com".into(), "b.example.com".into()]),
                },
                Obligation::LogOutput,
                Obligation::Notify { to: "ops@example.com".into(), body: None },
            ]
        );
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for (pairs, is_forbid) in [
            (&[("obligations", "teleport")][..], false),
            (&[("obligations", "log_output,")], false),
            (&[("obligations", "")], false),
            (&[("obligations", "notify")], false),
            (&[("obligations", "notify(to=a, cc=b)")], false),
            (&[("obligations", "sandbox(min_tier=T3)")], false),
            (&[("obligations", "sandbox(wall_s=-1)")], false),
            (&[("obligations", "sandbox(wall_s=30")], false),
            (&[("obligations", "expires(at=tomorrow)")], false),
            (&[("mode", "shadow")], true),
            (&[("severity", "high")], true),
            (&[("confirm", "maybe")], true),
            (&[("confirm", "type:")], true),
            (&[("confirm", "click")], false),
            (&[("confirm", "click"), ("delegate", "model")], true),
            (&[("confirm", "second_person"), ("delegate", "guardian")], true),
            (&[("confirm", "group:ops"), ("delegate", "guardian")], true),
            (&[("delegate", "guardian")], true),
        ] {
            assert!(read(pairs, is_forbid).is_err(), "{pairs:?}");
        }
    }

    #[test]
    fn the_rest_is_read() {
        let pairs = [
            ("id", "x"),
            ("reason", "because"),
            ("severity", "CRITICAL"),
            ("confirm", "click"),
            ("delegate", "guardian"),
            ("mode", "log_only"),
            ("reson", "?"),
        ];
        let read = read(&pairs, true).unwrap();
        assert_eq!(read.severity, Some(Severity::Critical));
        assert_eq!(read.confirm, Some(ConfirmKind::Click));
        assert!(read.delegable && read.log_only);
        assert_eq!(read.unknown, ["reson"]);
    }
}
