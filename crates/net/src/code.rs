//! Reasons for refusals: stable codes, and which details each audience may see.
//!
//! A refusal is shown to the agent, so it never contains the addresses a name resolved to. The class of an address
//! is shown for literals only, which the agent wrote itself. The ledger takes it from [`Refusal::class`].

use std::fmt;

use crate::address::AddressClass;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// The reason codes of verdicts. As a finding code: `net.<code>`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[$doc])* $name,)* }

        impl Code {
            /// Every code, in order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The wire word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }
        }
    };
}

codes! {
    /// A scheme other than http and https.
    Scheme = "scheme",
    /// `user@` in the authority.
    Userinfo = "userinfo",
    /// Text that isn't a URL, or that readers parse differently.
    MalformedUrl = "malformed_url",
    /// An address in a spelling that readers interpret differently.
    AmbiguousLiteral = "ambiguous_literal",
    /// A name that is internal by its form.
    NameDenied = "name_denied",
    /// An address in a denied block.
    AddressDenied = "address_denied",
    /// A name with permitted and denied addresses.
    MixedAnswer = "mixed_answer",
    /// No usable answer for a name.
    DnsFailed = "dns_failed",
    /// A port that isn't open for web requests.
    PortDenied = "port_denied",
    /// Not on the list, and only the list is permitted.
    NotAllowlisted = "not_allowlisted",
    /// A deny rule of the operator.
    DenyRule = "deny_rule",
    /// The TLS server name isn't the tunnel's host.
    SniMismatch = "sni_mismatch",
    /// `Host` isn't the authority, or the message's framing is ambiguous.
    HostMismatch = "host_mismatch",
    /// Method or path not permitted by the rule.
    MethodDenied = "method_denied",
    /// A redirect that isn't followed.
    RedirectDenied = "redirect_denied",
    /// Requests, bytes or tunnels are used up.
    BudgetExceeded = "budget_exceeded",
    /// More requests per second than permitted.
    RateLimited = "rate_limited",
    /// A person refused.
    AskDenied = "ask_denied",
    /// No answer in time.
    AskTimeout = "ask_timeout",
    /// No valid token.
    AuthRequired = "auth_required",
    /// A secret's placeholder was sent somewhere it isn't bound to.
    SecretMisdirected = "secret_misdirected",
    /// The access couldn't be recorded.
    Unrecorded = "unrecorded",
    /// The configuration doesn't parse.
    ConfigError = "config_error",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A refusal. `Display` is safe to show to the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Refusal {
    /// The reason code.
    pub code: Code,
    /// Class of the refused address, if there was one. Shown for literals only.
    pub class: Option<AddressClass>,
    /// Whether the address was written in the text itself.
    pub literal: bool,
    /// The operator's rule that refused, as written.
    pub rule: Option<String>,
    /// Explanation.
    pub why: &'static str,
}

impl Refusal {
    /// A refusal because of the text or the configuration.
    pub const fn new(code: Code, why: &'static str) -> Self {
        Self { code, class: None, literal: false, rule: None, why }
    }

    /// A refusal of an address written as a literal.
    pub const fn literal(class: AddressClass) -> Self {
        Self {
            code: Code::AddressDenied,
            class: Some(class),
            literal: true,
            rule: None,
            why: "the address lies in a block that isn't reachable from here",
        }
    }

    /// A refusal of an address that a name resolved to.
    pub const fn resolved(code: Code, class: AddressClass) -> Self {
        Self {
            code,
            class: Some(class),
            literal: false,
            rule: None,
            why: "the name doesn't lead to permitted addresses only",
        }
    }

    /// A refusal by a rule of the operator.
    pub fn rule(code: Code, rule: &str, why: &'static str) -> Self {
        Self { code, class: None, literal: false, rule: Some(rule.to_owned()), why }
    }

    /// The code, with the class if it may be shown: `address_denied:loopback`.
    #[must_use]
    pub fn public_code(&self) -> String {
        match self.class {
            Some(class) if self.literal && self.code == Code::AddressDenied => {
                format!("{}:{}", self.code, class.as_str())
            }
            _ => self.code.as_str().to_owned(),
        }
    }

    /// The configuration that would permit it. Contains nothing that the agent doesn't know.
    #[must_use]
    pub fn how_to_allow(&self, host: &str, port: u16) -> String {
        let bracketed = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        match self.code {
            Code::AddressDenied | Code::MixedAnswer if self.class == Some(AddressClass::Metadata) => {
                "cloud metadata stays closed".to_owned()
            }
            Code::AddressDenied
            | Code::MixedAnswer
            | Code::NameDenied
            | Code::PortDenied
            | Code::NotAllowlisted
                if is_loopback(host) =>
            {
                format!(
                    "inside the sandbox {host} is the sandbox's own: reach a server that runs in there without \
                    the proxy \
                     (NO_PROXY={host}); a server outside of it is opened by allowed_hosts = \
                     [\"{bracketed}:{port}=127.0.0.0/8\"]"
                )
            }
            Code::AddressDenied if self.literal => format!("allowed_hosts = [\"{bracketed}:{port}\"]"),
            Code::AddressDenied | Code::MixedAnswer => {
                format!("allowed_hosts = [\"{bracketed}:{port}=<the network it lives in>\"]")
            }
            Code::NameDenied | Code::PortDenied | Code::NotAllowlisted => {
                format!("allowed_hosts = [\"{bracketed}:{port}\"]")
            }
            Code::Scheme => "use http or https".to_owned(),
            Code::Userinfo => "send credentials in a header, not in the URL".to_owned(),
            Code::MalformedUrl | Code::AmbiguousLiteral => {
                "write the address in its usual spelling".to_owned()
            }
            Code::DnsFailed => "check the name; it has no usable address".to_owned(),
            Code::AuthRequired => "use the proxy address from the environment, with its token".to_owned(),
            Code::BudgetExceeded => "raise egress.budgets".to_owned(),
            Code::RateLimited => "wait a second, or raise egress.budgets.requests_per_s".to_owned(),
            _ => "ask the operator".to_owned(),
        }
    }
}

/// Whether a host, as written, means the local machine.
fn is_loopback(host: &str) -> bool {
    let host = host.trim_end_matches('.').trim_matches(['[', ']']);
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.public_code(), self.why)
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_the_sandboxs_own_and_said_so() {
        for host in ["localhost", "LOCALHOST.", "127.0.0.1", "127.9.9.9", "::1"] {
            for refusal in [
                Refusal::literal(AddressClass::Loopback),
                Refusal::rule(Code::NameDenied, "x", "no"),
                Refusal::new(Code::NotAllowlisted, "no"),
            ] {
                let said = refusal.how_to_allow(host, 3123);
                assert!(said.contains("the sandbox's own"), "{host}: {said}");
            }
        }
        let other = Refusal::new(Code::NotAllowlisted, "no").how_to_allow("localhost.example", 80);
        assert_eq!(other, "allowed_hosts = [\"localhost.example:80\"]");
    }

    #[test]
    fn only_literals_tell_their_class() {
        assert_eq!(Refusal::literal(AddressClass::Loopback).public_code(), "address_denied:loopback");
        let hidden = Refusal::resolved(Code::AddressDenied, AddressClass::Loopback);
        assert_eq!(hidden.public_code(), "address_denied");
        for text in [hidden.to_string(), hidden.how_to_allow("build.corp", 443)] {
            assert!(!text.contains("loopback") && !text.contains("127."), "{text}");
        }
    }
}
