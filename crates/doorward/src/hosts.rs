//! The verdicts of `net` where `inspect` asks for them.

use doorward_core::effect::HostClass;
use doorward_inspect::{HostJudge, JudgedUrl};
use doorward_net::{Guard, GuardConfig};

/// A compiled host policy. One that doesn't compile refuses everything.
#[derive(Debug)]
pub(crate) struct Hosts(Guard);

impl Hosts {
    pub(crate) fn new(net: &GuardConfig) -> Self {
        Self(Guard::new(net.clone()).unwrap_or_else(Guard::closed))
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
