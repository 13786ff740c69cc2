//! Hosts in rules: exact for an allow; for a deny, including subdomains.

use doorward_core::effect::HostEffect;
use doorward_core::intent::Direction;

use super::command::RuleMatch;

/// Schemes allowed in a rule.
const SCHEMES: &[&str] = &["https", "http"];

/// A host pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HostRule {
    name: String,
    reach: Reach,
    /// Only for URLs with this scheme.
    scheme: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// `x`
    Exact,
    /// `*.x`: subdomains of x, without x.
    Below,
    /// `**.x`: x and its subdomains.
    Both,
}

impl HostRule {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (scheme, text) = match SCHEMES.iter().find_map(|scheme| Some((*scheme, behind(text, scheme)?))) {
            Some((scheme, host)) => (Some(scheme), host),
            None => (None, text),
        };
        let (reach, name) = if let Some(name) = text.strip_prefix("**.") {
            (Reach::Both, name)
        } else if let Some(name) = text.strip_prefix("*.") {
            (Reach::Below, name)
        } else {
            (Reach::Exact, text)
        };
        let name = canonical(name);
        let fits = !name.is_empty()
            && name.chars().all(|ch| ch.is_alphanumeric() || matches!(ch, '.' | '-' | ':' | '_' | '[' | ']'))
            && !name.starts_with('.')
            && !name.contains("..");
        fits.then_some(Self { name, reach, scheme })
    }

    /// The name in the pattern, without wildcards.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is limited to one scheme.
    pub(crate) const fn has_scheme(&self) -> bool {
        self.scheme.is_some()
    }

    /// Whether it allows a connection to the host.
    pub(crate) fn admits(&self, host: &HostEffect) -> bool {
        let by = self.scheme.is_none_or(|scheme| host.scheme == scheme && host.direction == Direction::Fetch);
        by && self.allows(&host.host)
    }

    /// Whether it allows an example: a host or the beginning of a URL.
    pub(crate) fn fits(&self, example: &str) -> bool {
        match self.scheme {
            None => self.allows(example),
            Some(scheme) => {
                let host = behind(example, scheme).map(|rest| rest.split('/').next().unwrap_or(rest));
                host.is_some_and(|host| self.allows(host))
            }
        }
    }

    /// Whether it matches exactly as written.
    pub(crate) fn allows(&self, host: &str) -> bool {
        let host = canonical(host);
        match self.reach {
            Reach::Exact => host == self.name,
            Reach::Below => below(&host, &self.name),
            Reach::Both => host == self.name || below(&host, &self.name),
        }
    }

    /// Whether a deny matches: subdomains included, unless the rule's wildcard says otherwise. An unknown host may be
    /// this one.
    pub(crate) fn denies(&self, host: &str) -> RuleMatch {
        if host.contains('…') || host.is_empty() {
            return RuleMatch::Maybe;
        }
        let host = canonical(host);
        let hit = below(&host, &self.name) || (self.reach != Reach::Below && host == self.name);
        if hit { RuleMatch::Sure } else { RuleMatch::No }
    }
}

fn behind<'t>(text: &'t str, scheme: &str) -> Option<&'t str> {
    text.strip_prefix(scheme)?.strip_prefix("://")
}

fn canonical(host: &str) -> String {
    host.trim_end_matches('.').to_ascii_lowercase()
}

fn below(host: &str, name: &str) -> bool {
    host.strip_suffix(name).is_some_and(|front| front.len() > 1 && front.ends_with('.'))
}
