//! The verdict whether a target may be reached, and at which addresses. Pure: no look-ups, no clock.
//!
//! Judging has two steps, and their types keep the order: [`Guard::judge`] turns a [`Target`] into a [`Cleared`]
//! one (names, ports, operator's lists), and [`Cleared::check`] turns a complete DNS answer into [`Dialable`]
//! socket addresses. A connector that accepts only `Dialable` can't dial an unchecked address or a name. Denials
//! beat permissions at every level.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use ipnet::IpNet;

use crate::address::{AddressClass, AddressRules, NAT64_WELL_KNOWN, hides_metadata};
use crate::code::{Code, Refusal};
use crate::config::{ConfigError, Entry, Grammar, GuardConfig, HostPattern, parse_nat64};
use crate::names;
use crate::target::{Host, Target, unmapped};

/// More addresses than this in one answer are refused.
pub const MAX_ADDRESSES: usize = 64;

/// A compiled configuration, ready to judge.
#[derive(Debug, Clone)]
pub struct Guard {
    config: GuardConfig,
    allowed: Vec<Entry>,
    blocked: Vec<Entry>,
    addresses: AddressRules,
    own: Vec<IpAddr>,
    listeners: Vec<SocketAddr>,
    closed: Option<ConfigError>,
}

impl Default for Guard {
    /// The guard of an empty configuration: the public web, nothing else.
    fn default() -> Self {
        Self {
            config: GuardConfig::default(),
            allowed: vec![],
            blocked: vec![],
            addresses: AddressRules::default(),
            own: vec![],
            listeners: vec![],
            closed: None,
        }
    }
}

impl Guard {
    /// Compiles a configuration.
    ///
    /// # Errors
    /// [`ConfigError`] for the first entry that doesn't parse.
    pub fn new(config: GuardConfig) -> Result<Self, ConfigError> {
        let entries = |texts: &[String], grammar| -> Result<Vec<Entry>, ConfigError> {
            texts.iter().map(|text| Entry::parse(text, grammar)).collect()
        };
        let mut nat64 =
            config.nat64_prefixes.iter().map(|text| parse_nat64(text)).collect::<Result<Vec<_>, _>>()?;
        if config.allow_nat64 {
            nat64.push(NAT64_WELL_KNOWN);
        }
        Ok(Self {
            allowed: entries(&config.allowed_hosts, Grammar::Allow)?,
            blocked: entries(&config.extra_blocked_hosts, Grammar::Block)?,
            addresses: AddressRules::with_nat64(nat64),
            config,
            ..Self::default()
        })
    }

    /// The guard in force if the configuration doesn't parse: everything is refused.
    #[must_use]
    pub fn closed(error: ConfigError) -> Self {
        Self { closed: Some(error), ..Self::default() }
    }

    /// Adds this machine's interface addresses, which count as this machine whatever block they lie in.
    #[must_use]
    pub fn with_own_addresses(mut self, own: Vec<IpAddr>) -> Self {
        self.own = own;
        self
    }

    /// Adds sockets that are always denied: our own listeners.
    #[must_use]
    pub fn with_listeners(mut self, listeners: Vec<SocketAddr>) -> Self {
        self.listeners = listeners;
        self
    }

    /// The configuration.
    #[must_use]
    pub const fn config(&self) -> &GuardConfig {
        &self.config
    }

    /// Time limit of a look-up.
    #[must_use]
    pub const fn dns_timeout(&self) -> Duration {
        Duration::from_millis(self.config.dns_timeout_ms)
    }

    /// Judges URL text, without DNS.
    ///
    /// # Errors
    /// The [`Refusal`].
    pub fn judge_url(&self, text: &str) -> Result<Cleared<'_>, Refusal> {
        self.refuse_if_closed()?;
        self.judge(Target::parse(text)?)
    }

    /// Judges a target's text, without DNS.
    ///
    /// # Errors
    /// The [`Refusal`].
    pub fn judge(&self, target: Target) -> Result<Cleared<'_>, Refusal> {
        self.judge_with(target, &[])
    }

    /// Judges a target with further permissions besides `allowed_hosts` (a session's egress rules). They override
    /// the same rules as an allowed host; `allowed_only` doesn't count them.
    ///
    /// # Errors
    /// The [`Refusal`].
    pub fn judge_with(&self, target: Target, also: &[&Entry]) -> Result<Cleared<'_>, Refusal> {
        self.refuse_if_closed()?;
        let other = target.other_name.clone().map(Host::Name);
        let names = || [Some(&target.host), other.as_ref()].into_iter().flatten();
        let blocking = self.blocked.iter().find(|entry| names().any(|host| entry.matches(host, target.port)));
        if let Some(entry) = blocking {
            return Err(Refusal::rule(Code::DenyRule, &entry.text, "blocked by the operator"));
        }
        let own = self.allowed.iter().filter(|entry| entry.matches(&target.host, target.port));
        let listed = own.clone().next().is_some();
        let lifting: Vec<&Entry> = own
            .chain(also.iter().copied().filter(|entry| entry.matches(&target.host, target.port)))
            .collect();
        if self.config.allowed_only && !listed {
            return Err(Refusal::new(Code::NotAllowlisted, "only listed hosts may be reached"));
        }
        let port_named = lifting.iter().any(|entry| entry.port.is_some());
        let mut networks: Vec<IpNet> = lifting.iter().filter_map(|entry| entry.network).collect();
        match &target.host {
            Host::Address(address) => {
                let lifted = lifting.iter().any(|entry| entry.pattern.lifts(*address));
                self.judge_literal(*address, target.port, lifted)?;
            }
            Host::Name(name) => {
                let ordinary = |name: &str| names::denied_name(name).is_none();
                let metadata = names::is_metadata_name(name) && !self.config.dangerously_allow_metadata;
                let named = lifting.iter().any(|entry| entry.pattern != HostPattern::AnyName);
                let plain = ordinary(name) && target.other_name.as_deref().is_none_or(ordinary);
                if metadata || (!plain && !named) {
                    return Err(Refusal {
                        class: metadata.then_some(AddressClass::Metadata),
                        ..Refusal::new(Code::NameDenied, "an internal or reserved name")
                    });
                }
                if !self.config.resolve_dns && names::is_address_in_name(name) && !named {
                    return Err(Refusal::new(Code::NameDenied, "the name carries an address"));
                }
                // A permitted network applies to the answers for permitted names.
                networks.extend(also.iter().filter_map(|entry| match entry.pattern {
                    HostPattern::Network(net) if entry.port.is_none_or(|port| port == target.port) => {
                        Some(net)
                    }
                    _ => None,
                }));
            }
        }
        if names::is_denied_port(target.port) && !port_named {
            return Err(Refusal::new(Code::PortDenied, "the port isn't open unless a rule names it"));
        }
        Ok(Cleared { guard: self, target, networks })
    }

    fn judge_literal(&self, address: IpAddr, port: u16, lifted: bool) -> Result<(), Refusal> {
        let class = self.classify(address, port);
        match class {
            None => Ok(()),
            Some(AddressClass::Blocked) => {
                Err(Refusal { literal: true, ..Refusal::new(Code::DenyRule, "blocked by the operator") })
            }
            Some(_) if lifted && self.may_lift(address, port) => Ok(()),
            Some(class) => Err(Refusal::literal(class)),
        }
    }

    /// The class of a denied address; `None` if it may be dialled.
    #[must_use]
    pub fn classify(&self, address: IpAddr, port: u16) -> Option<AddressClass> {
        if self.closed.is_some() || self.is_blocked(address, port) {
            return Some(AddressClass::Blocked);
        }
        let dialled = unmapped(address);
        if let Some(class) = self.addresses.classify(address) {
            return Some(class);
        }
        let is_own = self.own.contains(&dialled) || self.listeners.contains(&SocketAddr::new(dialled, port));
        is_own.then_some(AddressClass::Own)
    }

    fn is_blocked(&self, address: IpAddr, port: u16) -> bool {
        let covers = |address: IpAddr| {
            let at_port = |entry: &&Entry| entry.port.is_none_or(|own| own == port);
            self.blocked.iter().filter(at_port).any(|entry| entry.pattern.covers(address))
        };
        covers(address) || self.addresses.inner(address).any(|inner| covers(inner.into()))
    }

    /// Whether an exception may permit this denied address.
    fn may_lift(&self, address: IpAddr, port: u16) -> bool {
        let dialled = unmapped(address);
        // Includes metadata addresses below an operator's translation prefix or embedded in other addresses.
        let metadata = hides_metadata(address) && !self.config.dangerously_allow_metadata;
        !metadata && !self.listeners.contains(&SocketAddr::new(dialled, port))
    }

    /// Whether `allowed_hosts` includes this host (on this port, if known).
    #[must_use]
    pub fn lists(&self, host: &Host, port: Option<u16>) -> bool {
        self.allowed
            .iter()
            .any(|entry| entry.pattern.matches(host) && (entry.port.is_none() || entry.port == port))
    }

    fn refuse_if_closed(&self) -> Result<(), Refusal> {
        match &self.closed {
            Some(error) => {
                Err(Refusal::rule(Code::ConfigError, &error.entry, "the configuration doesn't parse"))
            }
            None => Ok(()),
        }
    }
}

/// A target whose text is permitted. Its addresses aren't known yet.
#[derive(Debug, Clone)]
pub struct Cleared<'g> {
    guard: &'g Guard,
    target: Target,
    networks: Vec<IpNet>,
}

impl Cleared<'_> {
    /// The target.
    #[must_use]
    pub const fn target(&self) -> &Target {
        &self.target
    }

    /// The name that must be resolved; `None` for a literal.
    #[must_use]
    pub fn needs_lookup(&self) -> Option<&str> {
        self.target.host.name()
    }

    /// A literal's only address, already checked.
    #[must_use]
    pub fn literal(&self) -> Option<Dialable> {
        match self.target.host {
            Host::Address(address) => {
                Some(Dialable { sockets: vec![SocketAddr::new(unmapped(address), self.target.port)] })
            }
            Host::Name(_) => None,
        }
    }

    /// Checks a complete answer. One denied address refuses all of it.
    ///
    /// # Errors
    /// `dns_failed`, `address_denied` or `mixed_answer`.
    pub fn check(&self, answers: &[IpAddr]) -> Result<Dialable, Refusal> {
        if let Some(literal) = self.literal() {
            return Ok(literal);
        }
        if answers.is_empty() || answers.len() > MAX_ADDRESSES {
            return Err(Refusal::new(Code::DnsFailed, "the name has no usable address"));
        }
        let port = self.target.port;
        let denied = |address: &IpAddr| {
            let class = self.guard.classify(*address, port)?;
            let dialled = unmapped(*address);
            let lifted = class != AddressClass::Blocked
                && self.networks.iter().any(|net| net.contains(&dialled))
                && self.guard.may_lift(*address, port);
            (!lifted).then_some(class)
        };
        let refused: Vec<AddressClass> = answers.iter().filter_map(denied).collect();
        let worst = refused.iter().copied().find(|class| *class == AddressClass::Metadata);
        match worst.or(refused.first().copied()) {
            None => {
                let mut sockets: Vec<SocketAddr> = Vec::with_capacity(answers.len());
                for address in answers.iter().map(|address| SocketAddr::new(unmapped(*address), port)) {
                    if !sockets.contains(&address) {
                        sockets.push(address);
                    }
                }
                Ok(Dialable { sockets })
            }
            Some(class) if refused.len() == answers.len() => {
                Err(Refusal::resolved(Code::AddressDenied, class))
            }
            Some(class) => Err(Refusal::resolved(Code::MixedAnswer, class)),
        }
    }
}

/// Checked addresses: the only ones that are dialled. Created only by [`Cleared`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialable {
    sockets: Vec<SocketAddr>,
}

impl Dialable {
    /// The sockets, in the order of the answer.
    #[must_use]
    pub fn sockets(&self) -> &[SocketAddr] {
        &self.sockets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(config: &str) -> Guard {
        Guard::new(serde_json::from_str(config).unwrap()).unwrap()
    }

    fn code(guard: &Guard, url: &str, answers: &[&str]) -> String {
        let answers: Vec<IpAddr> = answers.iter().map(|text| text.parse().unwrap()).collect();
        let verdict = guard.judge_url(url).and_then(|cleared| cleared.check(&answers));
        verdict.map_or_else(|refusal| refusal.public_code(), |_| "allow".to_owned())
    }

    #[test]
    fn answers_are_taken_whole() {
        let plain = Guard::default();
        for (answers, expected) in [
            (&["93.184.215.14"][..], "allow"),
            (&["93.184.215.14", "10.0.0.1"], "mixed_answer"),
            (&["10.0.0.1"], "address_denied"),
            (&["::ffff:127.0.0.1"], "address_denied"),
            (&[], "dns_failed"),
        ] {
            assert_eq!(code(&plain, "https://a.example/", answers), expected, "{answers:?}");
        }
        let many = vec!["93.184.215.14"; MAX_ADDRESSES + 1];
        assert_eq!(code(&plain, "https://a.example/", &many), "dns_failed");
    }

    #[test]
    fn deny_beats_allow_at_every_level() {
        for (config, url, answers, expected) in [
            (
                r#"{"allowed_hosts":["a.example"],"extra_blocked_hosts":["a.example"]}"#,
                "https://a.example/",
                &["1.1.1.1"][..],
                "deny_rule",
            ),
            (
                r#"{"allowed_hosts":["b.corp=10.0.0.0/8"],"extra_blocked_hosts":["10.0.0.7"]}"#,
                "https://b.corp/",
                &["10.0.0.7"],
                "address_denied",
            ),
            (
                r#"{"allowed_hosts":["10.0.0.7"],"extra_blocked_hosts":["10.0.0.0/8"]}"#,
                "http://10.0.0.7/",
                &[],
                "deny_rule",
            ),
            (
                r#"{"allowed_hosts":["10.0.0.7"],"extra_blocked_hosts":["10.0.0.0/8:81"]}"#,
                "http://10.0.0.7/",
                &[],
                "allow",
            ),
            (r#"{"extra_blocked_hosts":["1.1.1.0/24"]}"#, "http://[::ffff:1.1.1.1]/", &[], "deny_rule"),
            (
                r#"{"extra_blocked_hosts":["1.1.1.0/24"]}"#,
                "http://[2a01:4f8::5efe:101:101]/",
                &[],
                "deny_rule",
            ),
            (r#"{"extra_blocked_hosts":["ss.example"]}"#, "http://ß.example/", &["1.1.1.1"], "deny_rule"),
        ] {
            assert_eq!(code(&guard(config), url, answers), expected, "{config} {url}");
        }
    }

    #[test]
    fn exceptions_are_narrow() {
        let dev =
            guard(r#"{"allowedHosts":["localhost:5173=127.0.0.0/8","127.0.0.1:3000","example.com:22","*"]}"#);
        for (url, answers, expected) in [
            ("http://localhost:5173/", &["127.0.0.1"][..], "allow"),
            ("http://localhost:5173/", &["127.0.0.1", "::1"], "mixed_answer"),
            ("http://localhost:5174/", &["127.0.0.1"], "name_denied"),
            ("http://127.0.0.1:3000/", &[], "allow"),
            ("http://127.0.0.1:3001/", &[], "address_denied:loopback"),
            ("http://0x7f000001:3000/", &[], "ambiguous_literal"),
            ("http://example.com:22/", &["1.1.1.1"], "allow"),
            ("http://example.com:23/", &["1.1.1.1"], "port_denied"),
            ("http://nas.lan/", &["1.1.1.1"], "name_denied"),
        ] {
            assert_eq!(code(&dev, url, answers), expected, "{url}");
        }
    }

    #[test]
    fn metadata_is_not_lifted_by_the_way() {
        let open = concat!(
            r#"{"allowed_hosts":["169.254.169.254","meta.corp=169.254.0.0/16","#,
            r#""metadata.google.internal=169.254.0.0/16"]"#,
        );
        for (url, answers) in [
            ("http://169.254.169.254/", &[][..]),
            ("http://[::ffff:169.254.169.254]/", &[]),
            ("http://meta.corp/", &["169.254.169.254"]),
            ("http://metadata.google.internal/", &["169.254.169.254"]),
        ] {
            assert_ne!(code(&guard(&format!("{open}}}")), url, answers), "allow", "{url}");
            let dangerous = guard(&format!(r#"{open},"dangerously_allow_metadata":true}}"#));
            // An exception for a literal covers its canonical spelling only.
            let expected = if url.contains("ffff") { "address_denied:metadata" } else { "allow" };
            assert_eq!(code(&dangerous, url, answers), expected, "{url}");
        }
    }

    #[test]
    fn own_addresses_and_listeners() {
        let own = guard(r#"{"allowed_hosts":["127.0.0.1:9000","127.0.0.1:9001"]}"#)
            .with_own_addresses(vec!["93.184.215.14".parse().unwrap()])
            .with_listeners(vec!["127.0.0.1:9000".parse().unwrap()]);
        for (url, expected) in [
            ("http://93.184.215.14/", "address_denied:own"),
            ("http://127.0.0.1:9000/", "address_denied:loopback"),
            ("http://127.0.0.1:9001/", "allow"),
        ] {
            assert_eq!(code(&own, url, &[]), expected, "{url}");
        }
    }

    #[test]
    fn closed_means_closed() {
        let error = GuardConfig { allowed_hosts: vec!["*.com".into()], ..GuardConfig::default() };
        let closed = Guard::closed(Guard::new(error).unwrap_err());
        assert_eq!(code(&closed, "https://example.com/", &["1.1.1.1"]), "config_error");
        let empty = guard(r#"{"allowed_only":true}"#);
        assert_eq!(code(&empty, "https://example.com/", &["1.1.1.1"]), "not_allowlisted");
    }
}
