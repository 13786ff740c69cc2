//! Names that are refused before resolution, and ports that aren't used for the web.
//!
//! A name is denied if it equals, or is a subdomain of, a suffix that is internal by convention or reserved (RFC
//! 6761, 6762, 7686, 8375, 9476, ICANN's `internal`), even if it would resolve to a public address.

use doorward_core::effect::HostClass;

/// Suffixes of internal and reserved names, with the class of host.
const DENIED_SUFFIXES: &[(&str, HostClass)] = &[
    ("localhost", HostClass::Loopback),
    ("localdomain", HostClass::Private),
    ("localdomain4", HostClass::Private),
    ("localdomain6", HostClass::Private),
    ("local", HostClass::Private),
    ("internal", HostClass::Private),
    ("intranet", HostClass::Private),
    ("private", HostClass::Private),
    ("corp", HostClass::Private),
    ("home", HostClass::Private),
    ("lan", HostClass::Private),
    ("home.arpa", HostClass::Private),
    ("svc", HostClass::Private),
    ("test", HostClass::Private),
    ("invalid", HostClass::Refused),
    ("onion", HostClass::Refused),
    ("alt", HostClass::Refused),
];

/// Single labels that a hosts file usually maps to this machine.
const LOOPBACK_LABELS: &[&str] = &["localhost", "ip6-localhost", "ip6-loopback", "localhost4", "localhost6"];

/// Names of metadata services. An allow entry doesn't override them.
const METADATA_NAMES: &[&str] = words! {
    "metadata" "metadata.goog" "metadata.google.internal" "metadata.azure.internal"
    "metadata.tencentyun.com" "metadata.packet.net" "metadata.platformequinix.com"
    "api.metadata.cloud.ibm.com" "instance-data" "instance-data.ec2.internal" "rancher-metadata"
};

/// Services whose names resolve to the address written in them.
const ADDRESS_IN_NAME: &[&str] = words! {
    "nip.io" "sslip.io" "xip.io" "xip.name" "1u.ms" "rbndr.us" "backname.io" "localtest.me" "lvh.me"
    "vcap.me" "lacolhost.com" "traefik.me" "fuf.me" "ulh.us" "localdomain.pw" "localh.st"
};

/// The class of a canonical name that is refused before resolution; `None` for an ordinary name.
#[must_use]
pub fn denied_name(name: &str) -> Option<HostClass> {
    if is_metadata_name(name) {
        return Some(HostClass::Metadata);
    }
    if LOOPBACK_LABELS.contains(&name) {
        return Some(HostClass::Loopback);
    }
    let suffix = DENIED_SUFFIXES.iter().find(|(suffix, _)| is_at_or_below(name, suffix));
    match suffix {
        Some((_, class)) => Some(*class),
        None if !name.contains('.') => Some(HostClass::Private),
        None => None,
    }
}

/// Whether a canonical name is a metadata service's.
#[must_use]
pub fn is_metadata_name(name: &str) -> bool {
    METADATA_NAMES.contains(&name)
}

/// Whether a canonical name belongs to a service that resolves to the address written in it.
#[must_use]
pub fn is_address_in_name(name: &str) -> bool {
    ADDRESS_IN_NAME.iter().any(|service| is_at_or_below(name, service))
}

/// Whether a suffix is internal: a wildcard over it then doesn't count as one over a public suffix.
pub(crate) fn is_internal_suffix(name: &str) -> bool {
    DENIED_SUFFIXES.iter().any(|(suffix, _)| is_at_or_below(name, suffix))
}

/// Whether `name` is `suffix` or a subdomain of it.
pub(crate) fn is_at_or_below(name: &str, suffix: &str) -> bool {
    name.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Ports that web clients refuse (WHATWG Fetch, "bad port"), and services that accept commands without a password.
/// Sorted.
const DENIED_PORTS: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
    515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 873, 989, 990, 993, 995, 1719, 1720,
    1723, 2049, 2375, 2376, 2379, 2380, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665,
    6666, 6667, 6668, 6669, 6679, 6697, 9200, 9300, 10080, 10250, 10255, 11211, 27017,
];

/// Whether a port is closed unless a rule names it.
#[must_use]
pub fn is_denied_port(port: u16) -> bool {
    DENIED_PORTS.binary_search(&port).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_at_label_boundaries() {
        for (name, denied) in [
            ("localhost", true),
            ("a.localhost", true),
            ("nas.lan", true),
            ("router", true),
            ("x.home.arpa", true),
            ("metadata.goog", true),
            ("host.docker.internal", true),
            ("kubernetes.default.svc", true),
            ("127.0.0.1.example.com", false),
            ("localhost.example.com", false),
            ("internal.io", false),
            ("mylocalhost.net", false),
            ("0x.org", false),
            ("163.com", false),
            ("notcorp.example", false),
            ("a.metadata.goog", false),
        ] {
            assert_eq!(denied_name(name).is_some(), denied, "{name}");
        }
    }

    #[test]
    fn ports_are_sorted_for_the_search() {
        assert!(DENIED_PORTS.is_sorted());
        for (port, denied) in [(80, false), (443, false), (8443, false), (22, true), (0, true), (6379, true)]
        {
            assert_eq!(is_denied_port(port), denied, "{port}");
        }
    }
}
