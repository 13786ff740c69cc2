//! The compiled rules of `[egress]`: the destinations, methods and amounts permitted to a session. The guard also
//! applies in the modes `report` and `off`.

use std::collections::BTreeMap;

use super::upstream::UpstreamProxy;
use crate::code::{Code, Refusal};
use crate::config::{ConfigError, Entry, Grammar, HostPattern};
use crate::egress::{BudgetConfig, EgressConfig, HostBudgetConfig, Mode, RuleConfig, Size};
use crate::target::{Host, Target};

/// Limits, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Budget {
    pub(crate) requests: Option<u64>,
    pub(crate) requests_per_s: Option<u64>,
    pub(crate) bytes_per_s: Option<u64>,
    pub(crate) tunnels: Option<u64>,
    pub(crate) bytes_up: Option<u64>,
    pub(crate) bytes_down: Option<u64>,
}

#[derive(Debug, Clone)]
struct Rule {
    text: String,
    /// One entry per port: a rule always names its ports.
    entries: Vec<Entry>,
    methods: Vec<String>,
    paths: Vec<String>,
    roles: Vec<String>,
    opaque: bool,
}

/// Compiled rules.
#[derive(Debug, Clone, Default)]
pub struct EgressRules {
    mode: Mode,
    allow: Vec<Entry>,
    deny: Vec<Entry>,
    ask: Vec<Entry>,
    rules: Vec<Rule>,
    budget: Budget,
    per_host: BTreeMap<String, Budget>,
    upstream: Option<UpstreamProxy>,
    closed: Option<ConfigError>,
}

/// A request to the rules.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleRequest<'a> {
    pub(crate) target: &'a Target,
    /// Method and path of a plain HTTP request; `None` for a tunnel.
    pub(crate) request: Option<(&'a str, &'a str)>,
    pub(crate) roles: &'a [String],
}

/// The rules' verdict.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Allow { rule: Option<String>, opaque: bool },
    Ask { rule: String, opaque: bool },
    Deny(Refusal),
}

const WEB_PORTS: &[u16] = &[80, 443];

impl EgressRules {
    /// Compiles a configuration.
    ///
    /// # Errors
    /// [`ConfigError`] for the first entry that doesn't parse or can't be enforced.
    pub fn new(config: &EgressConfig) -> Result<Self, ConfigError> {
        let entries = |texts: &[String], grammar| -> Result<Vec<Entry>, ConfigError> {
            let single = texts.iter().flat_map(|text| text.split(',')).map(str::trim);
            single.map(|text| Entry::parse(text, grammar)).collect()
        };
        let mut per_host = BTreeMap::new();
        for (name, budget) in &config.budgets.per_host {
            let host = Host::parse(name).map_err(|_| ConfigError::new(name, "not a host"))?;
            per_host.insert(host.to_string(), host_budget(budget)?);
        }
        Ok(Self {
            mode: config.mode,
            allow: entries(&config.allow, Grammar::Egress)?,
            deny: entries(&config.deny, Grammar::Block)?,
            ask: entries(&config.ask, Grammar::Egress)?,
            rules: config.rules.iter().map(rule).collect::<Result<_, _>>()?,
            budget: budget(&config.budgets)?,
            per_host,
            upstream: UpstreamProxy::of(config)?,
            closed: None,
        })
    }

    /// The rules in force if the configured ones don't parse: everything is refused.
    #[must_use]
    pub fn closed(error: ConfigError) -> Self {
        Self { closed: Some(error), ..Self::default() }
    }

    /// The mode.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// The upstream proxy, if configured.
    pub(crate) const fn upstream(&self) -> Option<&UpstreamProxy> {
        self.upstream.as_ref()
    }

    pub(crate) const fn budget(&self) -> &Budget {
        &self.budget
    }

    pub(crate) fn host_budget(&self, host: &str) -> Option<&Budget> {
        self.per_host.get(host)
    }

    /// The refusal by a deny entry; checked first.
    pub(crate) fn denied(&self, target: &Target) -> Option<Refusal> {
        if let Some(error) = &self.closed {
            return Some(Refusal::rule(Code::ConfigError, &error.entry, "the configuration doesn't parse"));
        }
        if self.mode == Mode::Off {
            return None;
        }
        let other = target.other_name.clone().map(Host::Name);
        let mut hosts = [Some(&target.host), other.as_ref()].into_iter().flatten();
        let entry = hosts.find_map(|host| self.deny.iter().find(|entry| entry.matches(host, target.port)))?;
        Some(Refusal::rule(Code::DenyRule, &entry.text, "a rule denies this host"))
    }

    /// Whether a deny entry covers this resolved address.
    pub(crate) fn denies_address(&self, address: std::net::IpAddr, port: u16) -> bool {
        let at_port = |entry: &&Entry| entry.port.is_none_or(|own| own == port);
        self.mode != Mode::Off && self.deny.iter().filter(at_port).any(|entry| entry.pattern.covers(address))
    }

    /// The entries that override the guard's rules on names, ports and addresses for this target.
    pub(crate) fn lifting(&self, wanted: RuleRequest<'_>) -> Vec<&Entry> {
        let (host, port) = (&wanted.target.host, wanted.target.port);
        let own = self.allow.iter().chain(&self.ask).filter(|entry| names_port(entry, port));
        let rules = self.rules.iter().filter(|rule| rule.is_for(wanted)).flat_map(|rule| &rule.entries);
        let rules = rules.filter(|entry| entry.port == Some(port));
        let named: Vec<&Entry> = own.chain(rules).filter(|entry| entry.pattern.matches(host)).collect();
        if named.is_empty() {
            return named;
        }
        let networks = self
            .allow
            .iter()
            .filter(|entry| names_port(entry, port) && matches!(entry.pattern, HostPattern::Network(_)));
        named.into_iter().chain(networks).collect()
    }

    /// The verdict of `rules`, `allow`, `ask` and the default.
    pub(crate) fn judge(&self, wanted: RuleRequest<'_>) -> Said {
        if self.mode == Mode::Off {
            return Said::Allow { rule: None, opaque: true };
        }
        let (host, port) = (&wanted.target.host, wanted.target.port);
        let about: Vec<&Rule> = self.rules.iter().filter(|rule| rule.is_for(wanted)).collect();
        if let Some(rule) = about.iter().find(|rule| rule.permits(wanted.request)) {
            return Said::Allow { rule: Some(rule.text.clone()), opaque: rule.opaque };
        }
        let matching = |entry: &&Entry| names_port(entry, port) && entry.pattern.matches(host);
        // Without a name, on an explicit port, a ClientHello could add nothing (no domain fronting).
        let opaque = |entry: &Entry| !entry.pattern.is_name() && !WEB_PORTS.contains(&port);
        if let Some(entry) = self.allow.iter().find(matching) {
            return Said::Allow { rule: Some(entry.text.clone()), opaque: opaque(entry) };
        }
        if let Some(entry) = self.ask.iter().find(matching) {
            return Said::Ask { rule: entry.text.clone(), opaque: opaque(entry) };
        }
        Said::Deny(match about.first() {
            Some(rule) => Refusal::rule(Code::MethodDenied, &rule.text, "not this method or path"),
            None => Refusal::new(Code::NotAllowlisted, "no rule permits this host and port"),
        })
    }
}

impl Rule {
    fn is_for(&self, wanted: RuleRequest<'_>) -> bool {
        let role = self.roles.is_empty() || self.roles.iter().any(|role| wanted.roles.contains(role));
        role && self.entries.iter().any(|entry| entry.matches(&wanted.target.host, wanted.target.port))
    }

    fn permits(&self, request: Option<(&str, &str)>) -> bool {
        match request {
            Some((method, path)) => {
                let method = self.methods.is_empty() || self.methods.iter().any(|own| own == method);
                method && (self.paths.is_empty() || self.paths.iter().any(|own| path_matches(own, path)))
            }
            // A tunnel's content isn't visible.
            None => self.methods.is_empty() && self.paths.is_empty(),
        }
    }
}

fn names_port(entry: &Entry, port: u16) -> bool {
    entry.port.map_or_else(|| WEB_PORTS.contains(&port), |own| own == port)
}

/// `path` comes from a parsed URL, without dot segments. An encoded slash or dot could still be decoded by a
/// server.
fn path_matches(pattern: &str, path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    if ["%2e", "%2f", "%5c"].iter().any(|encoded| lower.contains(encoded)) || path.contains('\\') {
        return false;
    }
    match pattern.strip_suffix("/**") {
        Some(folder) => path == folder || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')),
        None => path == pattern,
    }
}

fn rule(config: &RuleConfig) -> Result<Rule, ConfigError> {
    let entry = Entry::parse(&config.host, Grammar::Egress)?;
    if entry.port.is_some() {
        return Err(ConfigError::new(&config.host, "ports of a rule go into `ports`"));
    }
    let ports = if config.ports.is_empty() { WEB_PORTS.to_vec() } else { config.ports.clone() };
    let looks_inside = !config.methods.is_empty() || !config.paths.is_empty();
    if looks_inside && ports.contains(&443) {
        return Err(ConfigError::new(
            &config.host,
            "methods and paths can't be seen over https; use ports = [80]",
        ));
    }
    if let Some(path) = config.paths.iter().find(|path| !path.starts_with('/')) {
        return Err(ConfigError::new(path, "a path starts with `/`"));
    }
    let entries = ports.into_iter().map(|port| Entry { port: Some(port), ..entry.clone() }).collect();
    Ok(Rule {
        text: config.host.clone(),
        entries,
        methods: config.methods.iter().map(|method| method.to_ascii_uppercase()).collect(),
        paths: config.paths.clone(),
        roles: config.roles.clone(),
        opaque: config.opaque,
    })
}

fn budget(config: &BudgetConfig) -> Result<Budget, ConfigError> {
    let bytes = |size: &Option<Size>| size.as_ref().map(Size::bytes).transpose();
    Ok(Budget {
        requests: config.requests,
        requests_per_s: config.requests_per_s,
        bytes_per_s: bytes(&config.bytes_per_s)?,
        tunnels: config.tunnels,
        bytes_up: bytes(&config.bytes_up)?,
        bytes_down: bytes(&config.bytes_down)?,
    })
}

fn host_budget(config: &HostBudgetConfig) -> Result<Budget, ConfigError> {
    let bytes = |size: &Option<Size>| size.as_ref().map(Size::bytes).transpose();
    Ok(Budget {
        requests: config.requests,
        requests_per_s: config.requests_per_s,
        bytes_per_s: bytes(&config.bytes_per_s)?,
        tunnels: config.tunnels,
        bytes_up: bytes(&config.bytes_up)?,
        bytes_down: bytes(&config.bytes_down)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(json: &str) -> EgressRules {
        EgressRules::new(&serde_json::from_str(json).unwrap()).unwrap()
    }

    fn said(rules: &EgressRules, url: &str, request: Option<(&str, &str)>, roles: &[&str]) -> &'static str {
        let target = Target::parse(url).unwrap();
        let roles: Vec<String> = roles.iter().map(|role| (*role).to_owned()).collect();
        if rules.denied(&target).is_some() {
            return "deny_rule";
        }
        match rules.judge(RuleRequest { target: &target, request, roles: &roles }) {
            Said::Allow { opaque: true, .. } => "opaque",
            Said::Allow { .. } => "allow",
            Said::Ask { .. } => "ask",
            Said::Deny(refusal) => refusal.code.as_str(),
        }
    }

    #[test]
    fn rules_in_their_order() {
        let rules = rules(
            r#"{"allow": ["api.github.com:443, *.example.com", "10.2.0.0/16:5432", "**.evil.net"],
                "deny": ["*.evil.net"], "ask": ["**.example.net"],
                "rules": [{"host": "api.example.org", "ports": [80], "methods": ["get"],
                           "paths": ["/v1/**"], "roles": ["reader"]},
                          {"host": "github.com", "ports": [22], "opaque": true}]}"#,
        );
        for (url, request, roles, expected) in [
            ("https://api.github.com/", None, &[][..], "allow"),
            ("http://api.github.com/", Some(("GET", "/")), &[], "not_allowlisted"),
            ("https://a.example.com/", None, &[], "allow"),
            ("https://a.example.com:8443/", None, &[], "not_allowlisted"),
            ("https://example.com/", None, &[], "not_allowlisted"),
            ("https://x.evil.net/", None, &[], "deny_rule"),
            ("https://x.evil.net:8443/", None, &[], "deny_rule"),
            ("https://evil.net/", None, &[], "allow"),
            ("https://example.net/", None, &[], "ask"),
            ("https://10.2.3.4:5432/", None, &[], "opaque"),
            ("http://api.example.org/v1/x", Some(("GET", "/v1/x")), &["reader"], "allow"),
            ("http://api.example.org/v1/x", Some(("GET", "/v1/x")), &[], "not_allowlisted"),
            ("http://api.example.org/v1/x", Some(("POST", "/v1/x")), &["reader"], "method_denied"),
            ("http://api.example.org/v1x", Some(("GET", "/v1x")), &["reader"], "method_denied"),
            (
                "http://api.example.org/v1/%2e%2e/x",
                Some(("GET", "/v1/%2E%2E/x")),
                &["reader"],
                "method_denied",
            ),
            ("http://api.example.org/", None, &["reader"], "method_denied"),
            ("https://github.com:22/", None, &[], "opaque"),
            ("https://github.com/", None, &[], "not_allowlisted"),
        ] {
            assert_eq!(said(&rules, url, request, roles), expected, "{url} {request:?}");
        }
    }

    #[test]
    fn nothing_written_permits_nothing() {
        assert_eq!(said(&EgressRules::default(), "https://example.com/", None, &[]), "not_allowlisted");
    }

    #[test]
    fn what_cannot_be_held_is_an_error() {
        for json in [
            r#"{"rules": [{"host": "a.example", "methods": ["GET"]}]}"#,
            r#"{"rules": [{"host": "a.example", "ports": [443], "paths": ["/x"]}]}"#,
            r#"{"rules": [{"host": "a.example:80"}]}"#,
            r#"{"allow": ["*.com"]}"#,
            r#"{"allow": ["a.example,,b.example"]}"#,
            r#"{"budgets": {"bytes_up": "10 furlongs"}}"#,
            r#"{"budgets": {"per_host": {"a b": {}}}}"#,
        ] {
            assert!(EgressRules::new(&serde_json::from_str(json).unwrap()).is_err(), "{json}");
        }
        assert!(serde_json::from_str::<EgressConfig>(r#"{"allowed": []}"#).is_err());
    }
}
