//! Classifies addresses: the block tables, and the order in which embedded addresses are unwrapped.
//!
//! Sources: IANA special-purpose and multicast registries (IPv4, IPv6), RFC 4291, 4380, 5214, 6052, 8215, the
//! providers' metadata documentation. The registries' "globally reachable" column doesn't decide: AS112, AMT and
//! PCP anycast serve no web content, and behind NAT64 `64:ff9b::7f00:1` is this machine. Everything outside
//! `2000::/3` is denied, so a block assigned tomorrow is denied today.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use doorward_core::effect::HostClass;
use ipnet::Ipv6Net;

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $host:ident;)*) => {
        /// Class of a denied address.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum AddressClass { $($(#[$doc])* $name,)* }

        impl AddressClass {
            /// The word after `address_denied:`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// The broader class used in effects.
            #[must_use]
            pub const fn host_class(self) -> HostClass {
                match self { $(Self::$name => HostClass::$host,)* }
            }
        }
    };
}

classes! {
    /// `0.0.0.0/8` and `::`; connecting there reaches this machine.
    ThisNetwork = "this_network", Loopback;
    /// Loopback.
    Loopback = "loopback", Loopback;
    /// RFC 1918 and unique local.
    Private = "private", Private;
    /// Carrier-grade NAT.
    Shared = "shared", Private;
    /// Link-local.
    LinkLocal = "link_local", Private;
    /// Former site-local.
    SiteLocal = "site_local", Private;
    /// An endpoint of a cloud's metadata or host service.
    Metadata = "metadata", Metadata;
    /// IETF protocol assignments.
    Protocol = "protocol", Refused;
    /// Documentation.
    Documentation = "documentation", Refused;
    /// Benchmarks.
    Benchmark = "benchmark", Refused;
    /// AS112.
    As112 = "as112", Refused;
    /// AMT relays.
    Amt = "amt", Refused;
    /// Multicast.
    Multicast = "multicast", Refused;
    /// Reserved, broadcast.
    Reserved = "reserved", Refused;
    /// IPv4-compatible.
    Compatible = "compatible", Refused;
    /// IPv4-translated.
    Translated = "translated", Refused;
    /// NAT64, well-known or local.
    Nat64 = "nat64", Refused;
    /// 6to4 and its former relay.
    SixToFour = "6to4", Refused;
    /// Teredo.
    Teredo = "teredo", Refused;
    /// ORCHID, ORCHIDv2, drone remote id.
    Orchid = "orchid", Refused;
    /// Discard-only and dummy prefixes.
    Discard = "discard", Refused;
    /// Segment routing.
    SegmentRouting = "segment_routing", Refused;
    /// Not allocated.
    Unallocated = "unallocated", Refused;
    /// An address of this machine's own interfaces, or one of our listeners.
    Own = "own", Loopback;
    /// In a network that the operator blocks.
    Blocked = "blocked", Refused;
}

struct Block4 {
    base: u32,
    mask: u32,
    class: AddressClass,
}

const fn v4(octets: [u8; 4], length: u32, class: AddressClass) -> Block4 {
    Block4 { base: u32::from_be_bytes(octets), mask: u32::MAX << (32 - length), class }
}

use AddressClass as C;

const V4: &[Block4] = &[
    v4([0, 0, 0, 0], 8, C::ThisNetwork),
    v4([10, 0, 0, 0], 8, C::Private),
    v4([100, 64, 0, 0], 10, C::Shared),
    v4([127, 0, 0, 0], 8, C::Loopback),
    v4([168, 63, 129, 16], 32, C::Metadata),
    v4([169, 254, 0, 0], 16, C::LinkLocal),
    v4([172, 16, 0, 0], 12, C::Private),
    v4([192, 0, 0, 0], 24, C::Protocol),
    v4([192, 0, 2, 0], 24, C::Documentation),
    v4([192, 31, 196, 0], 24, C::As112),
    v4([192, 52, 193, 0], 24, C::Amt),
    v4([192, 88, 99, 0], 24, C::SixToFour),
    v4([192, 168, 0, 0], 16, C::Private),
    v4([192, 175, 48, 0], 24, C::As112),
    v4([198, 18, 0, 0], 15, C::Benchmark),
    v4([198, 51, 100, 0], 24, C::Documentation),
    v4([203, 0, 113, 0], 24, C::Documentation),
    v4([224, 0, 0, 0], 4, C::Multicast),
    v4([240, 0, 0, 0], 4, C::Reserved),
];

/// Endpoints that hand out the machine's credentials. All lie in denied blocks; this list names them, and keeps an
/// exception for the surrounding network from opening them.
const METADATA_V4: &[[u8; 4]] = &[
    [169, 254, 169, 254], // AWS, GCP, Azure, Oracle, DigitalOcean, Hetzner, OpenStack, Equinix
    [169, 254, 169, 253], // AWS DNS
    [169, 254, 169, 123], // AWS NTP
    [169, 254, 170, 2],   // AWS ECS
    [169, 254, 170, 23],  // AWS EKS
    [169, 254, 42, 42],   // Scaleway
    [169, 254, 0, 23],    // Tencent
    [168, 63, 129, 16],   // Azure WireServer
    [100, 100, 100, 200], // Alibaba
    [192, 0, 0, 192],     // Oracle classic
];

const METADATA_V6: &[[u16; 8]] = &[
    [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254],      // AWS
    [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x253],      // AWS DNS
    [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x123],      // AWS NTP
    [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23],       // AWS EKS
    [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254],       // GCP
    [0xfd00, 0x100, 0, 0, 0, 0, 0x100, 0x200],  // Alibaba
    [0xfd00, 0xc1, 0, 0, 0, 0, 0xa9fe, 0xa9fe], // Oracle
    [0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42],        // Scaleway
    [0xfd00, 0xa9fe, 0xa9fe, 0, 0, 0, 0, 1],    // Linode
];

struct Block6 {
    base: u128,
    mask: u128,
    class: AddressClass,
}

const fn v6(base: u128, length: u32, class: AddressClass) -> Block6 {
    Block6 { base, mask: if length == 0 { 0 } else { u128::MAX << (128 - length) }, class }
}

const UNIVERSE: Block6 = v6(0x2000 << 112, 3, C::Unallocated);

/// Names for blocks outside `2000::/3`, narrow before wide. Addresses in none of them are unallocated.
const OUTSIDE: &[Block6] = &[
    v6(0, 128, C::ThisNetwork),
    v6(1, 128, C::Loopback),
    v6(0, 96, C::Compatible),
    v6(0xffff_0000 << 32, 96, C::Translated), // ::ffff:0:0:0/96
    v6(0x0064_ff9b << 96, 96, C::Nat64),
    v6(0x0064_ff9b_0001 << 80, 48, C::Nat64),
    v6(0x0100 << 112, 64, C::Discard),
    v6(0x0100_0000_0000_0001 << 64, 64, C::Discard), // dummy prefix 100:0:0:1::/64
    v6(0x5f00 << 112, 16, C::SegmentRouting),
    v6(0xfc00 << 112, 7, C::Private),
    v6(0xfe80 << 112, 10, C::LinkLocal),
    v6(0xfec0 << 112, 10, C::SiteLocal),
    v6(0xff00 << 112, 8, C::Multicast),
];

/// Denied blocks inside `2000::/3`, narrow before wide if they overlap.
const INSIDE: &[Block6] = &[
    v6(0x2001_0000 << 96, 32, C::Teredo),
    v6(0x2001_0002 << 96, 48, C::Benchmark),
    v6(0x2001_0003 << 96, 32, C::Amt),
    v6(0x2001_0004_0112 << 80, 48, C::As112),
    v6(0x2001_0010 << 96, 28, C::Orchid),
    v6(0x2001_0020 << 96, 28, C::Orchid),
    v6(0x2001_0030 << 96, 28, C::Orchid),
    v6(0x2001 << 112, 23, C::Protocol),
    v6(0x2001_0db8 << 96, 32, C::Documentation),
    v6(0x2002 << 112, 16, C::SixToFour),
    v6(0x3fff << 112, 20, C::Documentation),
    v6(0x2620_004f_8000 << 80, 48, C::As112),
    v6(0x3ffe << 112, 16, C::Unallocated),
    v6(0x2000 << 112, 16, C::Unallocated),
];

/// The class of a denied IPv4 address; `None` if it is public.
#[must_use]
pub fn classify_v4(address: Ipv4Addr) -> Option<AddressClass> {
    let bits = address.to_bits();
    let class = V4.iter().find(|block| bits & block.mask == block.base).map(|block| block.class)?;
    Some(if METADATA_V4.contains(&address.octets()) { AddressClass::Metadata } else { class })
}

/// Address rules beyond the fixed tables: translation prefixes declared by the operator.
#[derive(Debug, Clone, Default)]
pub struct AddressRules {
    nat64: Vec<Ipv6Net>,
}

/// `64:ff9b::/96`.
pub(crate) const NAT64_WELL_KNOWN: Ipv6Net =
    Ipv6Net::new_assert(Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);
/// `64:ff9b:1::/48`: the address doesn't show its layout, so it stays denied.
pub(crate) const NAT64_LOCAL: Ipv6Net =
    Ipv6Net::new_assert(Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48);

impl AddressRules {
    /// Rules that judge addresses below `prefixes` by their embedded IPv4 address (RFC 6052 layouts).
    #[must_use]
    pub const fn with_nat64(prefixes: Vec<Ipv6Net>) -> Self {
        Self { nat64: prefixes }
    }

    /// The class of a denied address; `None` if it is public.
    #[must_use]
    pub fn classify(&self, address: IpAddr) -> Option<AddressClass> {
        match address {
            IpAddr::V4(address) => classify_v4(address),
            IpAddr::V6(address) => self.classify_v6(address),
        }
    }

    fn classify_v6(&self, address: Ipv6Addr) -> Option<AddressClass> {
        if let Some(inner) = mapped(address) {
            return classify_v4(inner);
        }
        if METADATA_V6.contains(&address.segments()) {
            return Some(AddressClass::Metadata);
        }
        if let Some(inner) = self.nat64_inner(address) {
            return classify_v4(inner);
        }
        let bits = address.to_bits();
        let within = |block: &&Block6| bits & block.mask == block.base;
        if !within(&&UNIVERSE) {
            return Some(OUTSIDE.iter().find(within).map_or(AddressClass::Unallocated, |block| block.class));
        }
        if let Some(block) = INSIDE.iter().find(within) {
            return Some(block.class);
        }
        isatap(address).and_then(classify_v4)
    }

    /// The IPv4 address embedded below one of the operator's NAT64 prefixes.
    #[must_use]
    pub fn nat64_inner(&self, address: Ipv6Addr) -> Option<Ipv4Addr> {
        if NAT64_LOCAL.contains(&address) {
            return None;
        }
        let prefix = self.nat64.iter().find(|prefix| prefix.contains(&address))?;
        embedded(address, prefix.prefix_len())
    }

    /// The embedded IPv4 addresses by which `address` is judged as well; an operator's blocks apply to them too.
    pub fn inner(&self, address: IpAddr) -> impl Iterator<Item = Ipv4Addr> {
        let IpAddr::V6(address) = address else { return [None; 3].into_iter().flatten() };
        [mapped(address), isatap(address), self.nat64_inner(address)].into_iter().flatten()
    }
}

/// The class of a denied address under the default rules; `None` if it is public.
#[must_use]
pub fn judge_address(address: IpAddr) -> Option<AddressClass> {
    AddressRules::default().classify(address)
}

/// Whether any reading of `address` as an embedded IPv4 address gives a metadata endpoint.
#[must_use]
pub fn hides_metadata(address: IpAddr) -> bool {
    let IpAddr::V6(v6) = address else { return judge_address(address) == Some(AddressClass::Metadata) };
    let bits = v6.to_bits();
    let low = |shift: u32| Ipv4Addr::from_bits(u32::try_from((bits >> shift) & 0xffff_ffff).unwrap_or(0));
    let teredo_client = Ipv4Addr::from_bits(!low(0).to_bits());
    let readings = [Some(low(0)), Some(low(80)), Some(low(64)), Some(teredo_client)];
    let layouts = [32, 40, 48, 56, 64].map(|length| embedded(v6, length));
    judge_address(address) == Some(AddressClass::Metadata)
        || readings.into_iter().chain(layouts).flatten().any(|inner| METADATA_V4.contains(&inner.octets()))
}

/// Whether an address is one of the listed metadata endpoints, mapped or not.
#[must_use]
pub fn is_metadata(address: IpAddr) -> bool {
    judge_address(address) == Some(AddressClass::Metadata)
}

/// The IPv4 address in `::ffff:0:0/96`. Not `to_ipv4`, which would unwrap `::1` too.
#[must_use]
pub fn mapped(address: Ipv6Addr) -> Option<Ipv4Addr> {
    address.to_ipv4_mapped()
}

/// The IPv4 address in an ISATAP interface identifier (RFC 5214 section 6.1), with either `u` and `g` bit.
fn isatap(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [_, _, _, _, flags, mark, high, low] = address.segments();
    (flags & 0xfcff == 0 && mark == 0x5efe)
        .then(|| Ipv4Addr::from_bits((u32::from(high) << 16) | u32::from(low)))
}

/// The IPv4 address in the layout of RFC 6052 section 2.2; bits 64 to 71 are skipped.
fn embedded(address: Ipv6Addr, length: u8) -> Option<Ipv4Addr> {
    let at: [usize; 4] = match length {
        32 => [4, 5, 6, 7],
        40 => [5, 6, 7, 9],
        48 => [6, 7, 9, 10],
        56 => [7, 9, 10, 11],
        64 => [9, 10, 11, 12],
        96 => [12, 13, 14, 15],
        _ => return None,
    };
    let octets = address.octets();
    let mut inner = [0; 4];
    for (to, from) in inner.iter_mut().zip(at) {
        *to = *octets.get(from)?;
    }
    Some(inner.into())
}

/// The prefix lengths that RFC 6052 defines.
pub(crate) const NAT64_LENGTHS: &[u8] = &[32, 40, 48, 56, 64, 96];

#[cfg(test)]
mod tests {
    use super::*;

    fn class(text: &str) -> Option<AddressClass> {
        judge_address(text.parse().unwrap())
    }

    /// First and last address of every block, and the neighbours outside. `true`: the neighbour is denied too.
    #[test]
    fn block_edges() {
        for (block, below, above) in [
            ("0.0.0.0/8", false, false),
            ("10.0.0.0/8", false, false),
            ("100.64.0.0/10", false, false),
            ("127.0.0.0/8", false, false),
            ("168.63.129.16/32", false, false),
            ("169.254.0.0/16", false, false),
            ("172.16.0.0/12", false, false),
            ("192.0.0.0/24", false, false),
            ("192.0.2.0/24", false, false),
            ("192.31.196.0/24", false, false),
            ("192.52.193.0/24", false, false),
            ("192.88.99.0/24", false, false),
            ("192.168.0.0/16", false, false),
            ("192.175.48.0/24", false, false),
            ("198.18.0.0/15", false, false),
            ("198.51.100.0/24", false, false),
            ("203.0.113.0/24", false, false),
            ("224.0.0.0/4", false, true),
            ("240.0.0.0/4", true, false),
            ("::/3", false, true),
            ("2000::/16", true, true),
            ("2001::/23", true, false),
            ("2001:db8::/32", false, false),
            ("2002::/16", false, false),
            ("2620:4f:8000::/48", false, false),
            ("3ffe::/16", false, true),
            ("3fff::/20", true, false),
            ("4000::/3", false, true),
            ("e000::/3", true, false),
        ] {
            let net: ipnet::IpNet = block.parse().unwrap();
            let step = |address: IpAddr, by: i8| -> Option<IpAddr> {
                match address {
                    IpAddr::V4(a) => {
                        a.to_bits().checked_add_signed(by.into()).map(|b| Ipv4Addr::from(b).into())
                    }
                    IpAddr::V6(a) => {
                        a.to_bits().checked_add_signed(by.into()).map(|b| Ipv6Addr::from(b).into())
                    }
                }
            };
            assert!(judge_address(net.network()).is_some(), "{block} first");
            assert!(judge_address(net.broadcast()).is_some(), "{block} last");
            if let Some(before) = step(net.network(), -1) {
                assert_eq!(judge_address(before).is_some(), below, "{before} below {block}");
            }
            if let Some(after) = step(net.broadcast(), 1) {
                assert_eq!(judge_address(after).is_some(), above, "{after} above {block}");
            }
        }
    }

    #[test]
    fn embedded_addresses() {
        for (text, expected) in [
            ("::ffff:8.8.8.8", None),
            ("::ffff:127.0.0.1", Some(C::Loopback)),
            ("::ffff:169.254.169.254", Some(C::Metadata)),
            ("::8.8.8.8", Some(C::Compatible)),
            ("::1", Some(C::Loopback)),
            ("::", Some(C::ThisNetwork)),
            ("::ffff:0:8.8.8.8", Some(C::Translated)),
            ("64:ff9b::8.8.8.8", Some(C::Nat64)),
            ("64:ff9b:1::1", Some(C::Nat64)),
            ("2002:808:808::1", Some(C::SixToFour)),
            ("2001:0:4136:e378::1", Some(C::Teredo)),
            ("2a01:4f8::5efe:7f00:1", Some(C::Loopback)),
            ("2a01:4f8::100:5efe:7f00:1", Some(C::Loopback)),
            ("2a01:4f8::200:5efe:a9fe:a9fe", Some(C::Metadata)),
            ("2a01:4f8::300:5efe:a00:1", Some(C::Private)),
            ("2a01:4f8::400:5efe:a00:1", None),
            ("2a01:4f8::5efe:101:101", None),
            ("fd00:ec2::254", Some(C::Metadata)),
            ("fd00::1", Some(C::Private)),
            ("fe80::1", Some(C::LinkLocal)),
            ("fec0::1", Some(C::SiteLocal)),
            ("2606:4700::1111", None),
        ] {
            assert_eq!(class(text), expected, "{text}");
        }
    }

    #[test]
    fn nat64_only_where_the_operator_vouches_for_it() {
        let rules = AddressRules::with_nat64(vec![NAT64_WELL_KNOWN, "2001:67c:2e8:64::/56".parse().unwrap()]);
        for (text, denied) in [
            ("64:ff9b::8.8.8.8", false),
            ("64:ff9b::10.0.0.1", true),
            ("64:ff9b:1::808:808", true),
            // /56: octets at bytes 7, 9, 10, 11.
            ("2001:67c:2e8:7f:0:1::", true),
            ("2001:67c:2e8:08:8:808::", false),
        ] {
            assert_eq!(rules.classify(text.parse().unwrap()).is_some(), denied, "{text}");
        }
    }

    #[test]
    fn metadata_is_recognised_under_every_cover() {
        for text in [
            "169.254.169.254",
            "::ffff:a9fe:a9fe",
            "::a9fe:a9fe",
            "::ffff:0:a9fe:a9fe",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1:a9fe:a9:fe00::",
            "2002:a9fe:a9fe::1",
            "2001:0:a9fe:a9fe::1",
            "2001:0:1:1:1:1:5601:5601",
            "fd20:ce::254",
        ] {
            assert!(hides_metadata(text.parse().unwrap()), "{text}");
        }
        assert!(!hides_metadata("2606:4700::1111".parse().unwrap()));
    }
}
