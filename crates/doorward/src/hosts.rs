//! The verdicts of `net` where `inspect` asks for them.

use doorward_core::effect::HostClass;
use doorward_inspect::{HostJudge, JudgedUrl};
use doorward_net::{Guard, GuardConfig};
use doorward_settings::Net;

/// A compiled host policy. One that doesn't compile refuses everything.
#[derive(Debug)]
pub(crate) struct Hosts(Guard);

impl Hosts {
    pub(crate) fn new(net: &Net) -> Self {
        Self(Guard::new(config(net)).unwrap_or_else(Guard::closed))
    }
}

impl HostJudge for Hosts {
    fn judge_host(&self, host: &str, port: Option<u16>, scheme: &str) -> (HostClass, Option<String>) {
        let verdict = doorward_net::judge_host(&self.0, host, port, scheme);
        (verdict.class, verdict.code)
    }

    fn judge_url(&self, url: &str) -> JudgedUrl {
        let verdict = doorward_net::judge_url(&self.0, url);
        let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme).to_ascii_lowercase();
        JudgedUrl { host: verdict.host, port: verdict.port, scheme, class: verdict.class, code: verdict.code }
    }
}

/// The section `[net]` as `net` reads it.
#[must_use]
pub fn config(net: &Net) -> GuardConfig {
    GuardConfig {
        resolve_dns: net.resolve_dns,
        allowed_only: net.allowed_only,
        allowed_hosts: net.allowed_hosts.clone(),
        extra_blocked_hosts: net.extra_blocked_hosts.clone(),
        allow_nat64: net.allow_nat64,
        nat64_prefixes: net.nat64_prefixes.clone(),
        max_redirects: net.max_redirects,
        dns_timeout_ms: net.dns_timeout_ms,
        dangerously_allow_metadata: net.dangerously_allow_metadata,
    }
}
