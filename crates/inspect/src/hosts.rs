//! What kind of host a text names: the verdicts of `net`, which is the one judge of hosts.

use doorward_core::effect::HostClass;
use doorward_net::{Guard, GuardConfig};

/// A compiled host policy, which judges hosts by their text, without contact. One that doesn't compile refuses
/// everything.
#[derive(Debug)]
pub struct Hosts(Guard);

/// What a URL leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JudgedUrl {
    /// Canonical host, without port; the text as written where it has none.
    pub(crate) host: String,
    /// Port, where told.
    pub(crate) port: Option<u16>,
    /// Scheme, lower case.
    pub(crate) scheme: String,
    /// Class of the host.
    pub(crate) class: HostClass,
    /// Code of the verdict.
    pub(crate) code: Option<String>,
}

impl Default for Hosts {
    /// Without settings.
    fn default() -> Self {
        Self::new(&GuardConfig::default())
    }
}

impl Hosts {
    /// Under `[net]`.
    #[must_use]
    pub fn new(net: &GuardConfig) -> Self {
        Self(Guard::new(net.clone()).unwrap_or_else(Guard::closed))
    }

    /// The class of a host, and the code of the verdict (`net.<reason>`) where it isn't plain.
    pub(crate) fn judge_host(
        &self,
        host: &str,
        port: Option<u16>,
        scheme: &str,
    ) -> (HostClass, Option<String>) {
        let verdict = doorward_net::judge_host(&self.0, host, port, scheme);
        (verdict.class, verdict.code)
    }

    /// The same for a URL as written, with the canonical host it leads to.
    pub(crate) fn judge_url(&self, url: &str) -> JudgedUrl {
        let verdict = doorward_net::judge_url(&self.0, url);
        let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme).to_ascii_lowercase();
        JudgedUrl { host: verdict.host, port: verdict.port, scheme, class: verdict.class, code: verdict.code }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use HostClass::{Loopback, Metadata, Private, Public, Refused, Unknown};

    #[test]
    fn hosts_by_text() {
        for (host, expected) in [
            ("example.com", Public),
            ("localhost", Loopback),
            ("127.0.0.1", Loopback),
            ("::1", Loopback),
            ("10.1.2.3", Private),
            ("192.168.0.1", Private),
            ("db.internal", Private),
            ("intranet", Private),
            ("169.254.169.254", Metadata),
            ("metadata.google.internal.", Metadata),
            ("fd00:ec2::254", Metadata),
            ("8.8.8.8", Public),
            ("a…b", Unknown),
            ("", Refused),
        ] {
            assert_eq!(Hosts::default().judge_host(host, None, "https").0, expected, "{host}");
        }
        // Another spelling of an address, or an address within one: what a second, shorter list once called public.
        for host in [
            "127.1",
            "0x7f000001",
            "2130706433",
            "0177.0.0.1",
            "2852039166",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "192.0.2.1",
        ] {
            let (class, code) = Hosts::default().judge_host(host, None, "https");
            assert!(class != Public && code.is_some(), "{host}: {class:?} {code:?}");
        }
    }

    #[test]
    fn urls_lead_to_the_host_after_user_info() {
        let judged = Hosts::default().judge_url("http://example.com@10.0.0.1/x");
        assert_eq!((judged.host.as_str(), judged.scheme.as_str()), ("10.0.0.1", "http"));
        assert!(judged.class != Public && judged.code.is_some(), "{judged:?}");
        assert_eq!(Hosts::default().judge_url("http://[::1]/").class, Loopback);
    }
}
