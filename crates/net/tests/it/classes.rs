//! Every class of trick in its own table: generated spellings of addresses, text that readers parse differently,
//! names, answers, redirects, configurations. Unless a row says otherwise, names resolve to a public address, so
//! that a refusal is due to the text.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use doorward_net::{Guard, GuardConfig, batch_line};
use serde_json::{Value, json};

const PUBLIC: &str = "93.184.215.14";

/// Judges a URL whose name has these answers: `allow`, or the public code.
fn judge(guard: &Guard, url: &str, answers: &[&str]) -> String {
    let answers: Vec<IpAddr> = answers.iter().map(|text| text.parse().unwrap()).collect();
    match guard.judge_url(url).and_then(|cleared| cleared.check(&answers)) {
        Ok(_) => "allow".to_owned(),
        Err(refusal) => refusal.public_code(),
    }
}

fn guard(config: &str) -> Guard {
    Guard::new(serde_json::from_str::<GuardConfig>(config).unwrap()).unwrap()
}

/// The rows of `classes.json` with this title, in all its groups.
fn listed(title: &str) -> Vec<String> {
    let all: Value = serde_json::from_str(include_str!("classes.json")).unwrap();
    let groups: Vec<&Value> = match &all[title] {
        Value::Object(groups) => groups.values().collect(),
        rows => vec![rows],
    };
    let rows = groups.into_iter().flat_map(|rows| rows.as_array().unwrap());
    rows.map(|row| row.as_str().unwrap().to_owned()).collect()
}

fn all_refused(guard: &Guard, urls: impl IntoIterator<Item = String>) {
    let passed: Vec<String> =
        urls.into_iter().filter(|url| judge(guard, url, &[PUBLIC]) == "allow").collect();
    assert_eq!(passed, Vec::<String>::new());
}

/// Denied IPv4 addresses, one of every block and both ends of some.
const DENIED: &[[u8; 4]] = &[
    [0, 0, 0, 0],
    [10, 0, 0, 1],
    [100, 64, 0, 1],
    [100, 100, 100, 200],
    [127, 0, 0, 1],
    [127, 255, 255, 254],
    [168, 63, 129, 16],
    [169, 254, 169, 254],
    [172, 16, 0, 1],
    [172, 31, 255, 255],
    [192, 0, 0, 192],
    [192, 168, 1, 1],
    [198, 18, 0, 1],
    [224, 0, 0, 1],
    [255, 255, 255, 255],
];

/// Spellings of an IPv4 address that some reader understands.
fn spellings(octets: [u8; 4]) -> Vec<String> {
    let bits = u32::from_be_bytes(octets);
    let [a, b, c, d] = octets;
    let low16 = bits & 0xffff;
    let low24 = bits & 0x00ff_ffff;
    vec![
        format!("{a}.{b}.{c}.{d}"),
        format!("{a}.{b}.{c}.{d}."),
        format!("{bits}"),
        format!("{bits}."),
        format!("0x{bits:x}"),
        format!("0X{bits:08X}"),
        format!("0x{bits:016x}"),
        format!("0{bits:o}"),
        format!("000{bits:o}"),
        format!("{a}.{low24}"),
        format!("{a}.{b}.{low16}"),
        format!("0x{a:x}.0x{low24:x}"),
        format!("0{a:o}.0{b:o}.0{low16:o}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("00{a:o}.000{b:o}.0000{c:o}.00000{d:o}"),
        format!("0x{a:x}.0x{b:x}.0x{c:x}.0x{d:x}"),
        format!("0x{a:02x}.{b}.0{c:o}.{d}"),
        format!("{a:03}.{b:03}.{c:03}.{d:03}"),
        format!("{}.{b}.{c}.{d}", u32::from(a) + 256),
        format!("{}", u64::from(bits) + (1 << 32)),
        format!("{a}.{b}.{c}.{d}.."),
        format!("{a}.{b}.{c}.{d}.0x"),
        format!("{a}。{b}。{c}。{d}"),
        format!("{a}．{b}．{c}．{d}"),
        format!("{a}｡{b}｡{c}｡{d}"),
        format!("{a}\u{2024}{b}\u{2024}{c}\u{2024}{d}"),
        format!("{a}\u{fe52}{b}\u{fe52}{c}\u{fe52}{d}"),
        format!("{a}%2e{b}%2E{c}%2e{d}"),
        format!("{a}.{b}.{c}.{d}%00"),
        format!("{a}.{b}.{c}\u{ad}.{d}"),
        format!("{a}.{b}\u{200b}.{c}.{d}"),
        format!("{a}.{b}\u{200d}.{c}.{d}"),
        format!("{a}.{b}\u{2060}.{c}.{d}"),
        format!("{a}.{b}\u{feff}.{c}.{d}"),
    ]
}

/// The same digits in other scripts and styles.
fn dressed(text: &str) -> Vec<String> {
    let zeros = [
        0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810, 0xa620,
        0xff10, 0x104a0, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e950, 0x1fbf0,
    ];
    let circled = |digit: u32| if digit == 0 { '\u{24ea}' } else { char::from_u32(0x245f + digit).unwrap() };
    let raised = |digit: u32| ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize];
    let lowered = |digit: u32| char::from_u32(0x2080 + digit).unwrap();
    let with = |dress: &dyn Fn(u32) -> char| text.chars().map(|c| c.to_digit(10).map_or(c, dress)).collect();
    let mut all: Vec<String> =
        zeros.iter().map(|zero| with(&|digit| char::from_u32(zero + digit).unwrap())).collect();
    all.extend([with(&circled), with(&raised), with(&lowered)]);
    all
}

#[test]
fn no_spelling_of_a_denied_address_passes() {
    let guard = Guard::default();
    for octets in DENIED {
        let [a, b, c, d] = octets;
        let hosts = spellings(*octets).into_iter().chain(dressed(&format!("{a}.{b}.{c}.{d}")));
        all_refused(
            &guard,
            hosts.flat_map(|host| [format!("http://{host}/"), format!("https://{host}:8443/x?y#z")]),
        );
    }
}

#[test]
fn no_other_spelling_of_a_public_address_passes() {
    let guard = Guard::default();
    for octets in [[8, 8, 8, 8], [93, 184, 215, 14], [1, 0, 0, 1]] {
        let plain = Ipv4Addr::from(octets).to_string();
        for host in spellings(octets).into_iter().chain(dressed(&plain)) {
            let canonical = host == plain || host == format!("{plain}.");
            let verdict = judge(&guard, &format!("http://{host}/"), &[PUBLIC]);
            assert_eq!(verdict == "allow", canonical, "{host:?}: {verdict}");
        }
    }
}

/// An IPv4 address embedded in IPv6 in every known way.
fn embedded(octets: [u8; 4]) -> Vec<Ipv6Addr> {
    let bits = u128::from(u32::from_be_bytes(octets));
    let at = |prefix: &str, inner: u128| {
        Ipv6Addr::from_bits(prefix.parse::<Ipv6Addr>().unwrap().to_bits() | inner)
    };
    vec![
        at("::", bits),                                                  // compatible
        at("::ffff:0:0", bits),                                          // mapped
        at("::ffff:0:0:0", bits),                                        // translated
        at("64:ff9b::", bits),                                           // NAT64, well-known
        at("64:ff9b:1::", bits),                                         // NAT64, local, /96 layout
        at("64:ff9b:1::", (bits >> 16 << 64) | ((bits & 0xffff) << 40)), // and /48
        at("2002::", bits << 80),                                        // 6to4
        at("2002::1", bits << 80),
        at("2001::", bits << 64),         // Teredo server
        at("2001::", bits ^ 0xffff_ffff), // Teredo client
        at("2001:0:5ef5:79fb::", bits ^ 0xffff_ffff),
        at("2a01:4f8::5efe:0:0", bits), // ISATAP under a public prefix
        at("2a01:4f8::100:5efe:0:0", bits),
        at("2a01:4f8::200:5efe:0:0", bits),
        at("2a01:4f8::300:5efe:0:0", bits),
        at("fe80::5efe:0:0", bits),
        at("fec0::", bits),
        at("fd00::", bits),
        at("2001:db8::", bits),
        at("3fff::", bits),
    ]
}

fn texts_of(address: Ipv6Addr) -> Vec<String> {
    let segments = address.segments();
    let full: Vec<String> = segments.iter().map(|segment| format!("{segment:04x}")).collect();
    let short: Vec<String> = segments.iter().map(|segment| format!("{segment:x}")).collect();
    let [.., high, low] = segments;
    let dotted = Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    let mut texts = vec![
        address.to_string(),
        full.join(":"),
        full.join(":").to_uppercase(),
        short.join(":"),
        format!("{}:{dotted}", short[..6].join(":")),
        format!("{}:{dotted}", full[..6].join(":").to_uppercase()),
    ];
    texts.sort();
    texts.dedup();
    texts
}

#[test]
fn no_cover_of_a_denied_address_passes() {
    let guard = Guard::default();
    let resolving = guard.judge_url("http://name.example.com/").unwrap();
    for octets in DENIED {
        for address in embedded(*octets) {
            all_refused(&guard, texts_of(address).into_iter().map(|text| format!("http://[{text}]:8080/")));
            assert!(resolving.check(&[address.into()]).is_err(), "as an answer: {address}");
            assert!(
                resolving.check(&[PUBLIC.parse().unwrap(), address.into()]).is_err(),
                "in a mixed answer: {address}"
            );
        }
    }
}

#[test]
fn only_mapped_and_isatap_let_a_public_address_through() {
    let guard = Guard::default();
    let allowed: Vec<Ipv6Addr> = embedded([93, 184, 215, 14])
        .into_iter()
        .filter(|address| judge(&guard, &format!("http://[{address}]/"), &[]) == "allow")
        .collect();
    let expected: Vec<Ipv6Addr> =
        ["::ffff:5db8:d70e", "2a01:4f8::5efe:5db8:d70e", "2a01:4f8:0:0:100:5efe:5db8:d70e"]
            .iter()
            .chain(&["2a01:4f8:0:0:200:5efe:5db8:d70e", "2a01:4f8:0:0:300:5efe:5db8:d70e"])
            .map(|text| text.parse().unwrap())
            .collect();
    assert_eq!(allowed, expected);
}

#[test]
fn zone_ids_and_broken_brackets() {
    let hosts = listed("zone ids and broken brackets");
    all_refused(&Guard::default(), hosts.iter().map(|host| format!("http://{host}/")));
}

#[test]
fn text_that_readers_take_apart_differently() {
    all_refused(&Guard::default(), listed("text that readers take apart differently"));
}

#[test]
fn numbers_that_are_no_canonical_address() {
    let hosts = listed("numbers that are no canonical address");
    all_refused(&Guard::default(), hosts.iter().map(|host| format!("http://{host}/")));
}

#[test]
fn names_of_the_inside() {
    let guard = Guard::default();
    for name in listed("names of the inside") {
        let verdict = judge(&guard, &format!("https://{name}/"), &[PUBLIC]);
        assert!(verdict == "name_denied" || (!name.is_ascii() && verdict != "allow"), "{name}: {verdict}");
    }
}

#[test]
fn ordinary_urls_are_left_alone() {
    let guard = Guard::default();
    for url in listed("ordinary URLs") {
        assert_eq!(judge(&guard, &url, &[PUBLIC, "2606:2800:21f::1"]), "allow", "{url}");
    }
}

#[test]
fn the_name_an_older_reader_sees_is_denied_too() {
    let guard = guard(r#"{"extra_blocked_hosts": ["fass.example", "*.strasse.example"]}"#);
    for (url, verdict) in [
        ("https://faß.example/", "deny_rule"),
        ("https://a.straße.example/", "deny_rule"),
        ("https://STRASSE.example/", "allow"),
        ("https://xn--fa-hia.example/", "allow"),
        ("https://groß.example/", "allow"),
    ] {
        assert_eq!(judge(&guard, url, &[PUBLIC]), verdict, "{url}");
    }
}

#[test]
fn answers() {
    let guard = Guard::default();
    let many: Vec<String> = (0..65).map(|n| format!("93.184.215.{n}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for (answers, verdict) in [
        (&[PUBLIC][..], "allow"),
        (&[PUBLIC, "2606:4700::1111"], "allow"),
        (&["::ffff:93.184.215.14"], "allow"),
        (&[], "dns_failed"),
        (&many, "dns_failed"),
        (&many[..64], "allow"),
        (&["127.0.0.1"], "address_denied"),
        (&["::1", "127.0.0.1"], "address_denied"),
        (&[PUBLIC, "127.0.0.1"], "mixed_answer"),
        (&["127.0.0.1", PUBLIC], "mixed_answer"),
        (&[PUBLIC, "::1"], "mixed_answer"),
        (&[PUBLIC, "fd00:ec2::254"], "mixed_answer"),
        (&[PUBLIC, "::ffff:10.0.0.1"], "mixed_answer"),
        (&[PUBLIC, "64:ff9b::5db8:d70e"], "mixed_answer"),
        (&["169.254.169.254"], "address_denied"),
        (&["168.63.129.16"], "address_denied"),
        (&["0.0.0.0"], "address_denied"),
        (&["::"], "address_denied"),
        (&["224.0.0.251"], "address_denied"),
    ] {
        assert_eq!(judge(&guard, "https://name.example.com/", answers), verdict, "{answers:?}");
    }
}

/// One row of `net check --batch`: verdict and code.
fn batch(row: &Value) -> (String, String) {
    let answer: Value = serde_json::from_str(&batch_line(&row.to_string())).unwrap();
    let text = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
    (text("verdict"), text("code"))
}

#[test]
fn redirects() {
    let dns = json!({"a.example.com": [PUBLIC], "b.example.com": ["93.184.215.15"], "in.example.com": ["10.0.0.1"],
                     "mixed.example.com": [PUBLIC, "10.0.0.1"], "broken.example.com": ["cname.example.com"]});
    for (location, code) in [
        ("https://b.example.com/", ""),
        ("//b.example.com/x", ""),
        ("/x", ""),
        ("x/../y", ""),
        ("?x=http://127.0.0.1/", ""),
        ("#x", ""),
        ("", ""),
        ("/..//127.0.0.1/", ""),
        ("https://A.EXAMPLE.COM:443/", ""),
        ("http://a.example.com/", "redirect_denied"),
        ("http://127.0.0.1/", "redirect_denied"),
        ("https://127.0.0.1/", "address_denied:loopback"),
        ("//127.0.0.1/", "address_denied:loopback"),
        ("//127.1/", "ambiguous_literal"),
        ("//[::ffff:a9fe:a9fe]/", "address_denied:metadata"),
        ("//169.254.169.254/latest/meta-data/", "address_denied:metadata"),
        ("https://in.example.com/", "address_denied"),
        ("https://mixed.example.com/", "mixed_answer"),
        ("https://broken.example.com/", "dns_failed"),
        ("https://gone.example.com/", "dns_failed"),
        ("https://metadata.google.internal/", "name_denied"),
        ("//localhost/", "name_denied"),
        ("https://b.example.com:6379/", "port_denied"),
        ("//b.example.com:22/", "port_denied"),
        ("https://u@b.example.com/", "userinfo"),
        ("//u:p@b.example.com/", "userinfo"),
        ("\\\\127.0.0.1/", "malformed_url"),
        ("/\\127.0.0.1/", "malformed_url"),
        ("\\/127.0.0.1/", "malformed_url"),
        ("///127.0.0.1/", "malformed_url"),
        ("////127.0.0.1/", "malformed_url"),
        ("https:127.0.0.1/", "malformed_url"),
        ("https:/127.0.0.1/", "malformed_url"),
        ("https:///127.0.0.1/", "malformed_url"),
        ("https:\\\\127.0.0.1/", "malformed_url"),
        ("https://b.example.com\\@127.0.0.1/", "malformed_url"),
        ("/a\tb", "malformed_url"),
        ("\t//127.0.0.1/", "malformed_url"),
        ("/\t/127.0.0.1/", "malformed_url"),
        (" https://b.example.com/", "malformed_url"),
        ("https://b.example.com/\r\nSet-Cookie: x", "malformed_url"),
        ("//%31%32%37.0.0.1/", "malformed_url"),
        ("//127。0。0。1/", "malformed_url"),
        ("ftp://b.example.com/", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("gopher://127.0.0.1:6379/_x", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("data:text/html,x", "scheme"),
    ] {
        let row =
            json!({"id": 1, "input": "https://a.example.com/dir/x", "dns": dns, "redirects": [location]});
        let verdict = if code.is_empty() { "allow" } else { "block" };
        assert_eq!(batch(&row), (verdict.to_owned(), code.to_owned()), "{location:?}");
    }
    for (hops, code) in [(10, ""), (11, "redirect_denied")] {
        let row =
            json!({"id": 1, "input": "https://a.example.com/", "dns": dns, "redirects": vec!["/x"; hops]});
        assert_eq!(batch(&row).1, code, "{hops} redirects");
    }
}

#[test]
fn exceptions_open_what_they_say_and_no_more() {
    for (entry, url, answers, verdict) in [
        ("localhost:3000=127.0.0.0/8", "http://localhost:3000/", &["127.0.0.1"][..], "allow"),
        ("localhost:3000=127.0.0.0/8", "http://localhost:3001/", &["127.0.0.1"], "name_denied"),
        ("localhost:3000=127.0.0.0/8", "http://localhost:3000/", &["127.0.0.1", "::1"], "mixed_answer"),
        ("localhost:3000", "http://localhost:3000/", &["127.0.0.1"], "address_denied"),
        ("127.0.0.1:3000", "http://127.0.0.1:3000/", &[], "allow"),
        ("127.0.0.1:3000", "http://127.0.0.1:3001/", &[], "address_denied:loopback"),
        ("127.0.0.1:3000", "http://127.0.0.2:3000/", &[], "address_denied:loopback"),
        ("127.0.0.1:3000", "http://127.1:3000/", &[], "ambiguous_literal"),
        ("127.0.0.1:3000", "http://0x7f000001:3000/", &[], "ambiguous_literal"),
        ("127.0.0.1:3000", "http://[::ffff:127.0.0.1]:3000/", &[], "address_denied:loopback"),
        ("127.0.0.1:3000", "http://localhost:3000/", &["127.0.0.1"], "name_denied"),
        ("[::1]:3000", "http://[::1]:3000/", &[], "allow"),
        ("[::1]:3000", "http://[0:0:0:0:0:0:0:1]:3000/", &[], "allow"),
        ("db.example.com:5432", "https://db.example.com:5432/", &[PUBLIC], "allow"),
        ("db.example.com", "https://db.example.com:5432/", &[PUBLIC], "port_denied"),
        ("ci.corp=10.0.0.0/8", "https://ci.corp/", &["10.1.2.3"], "allow"),
        ("ci.corp=10.0.0.0/8", "https://ci.corp/", &["10.1.2.3", PUBLIC], "allow"),
        ("ci.corp=10.0.0.0/8", "https://ci.corp/", &["192.168.0.1"], "address_denied"),
        ("ci.corp=10.0.0.0/8", "https://ci.corp/", &["10.1.2.3", "192.168.0.1"], "mixed_answer"),
        ("ci.corp=10.0.0.0/8", "https://x.ci.corp/", &["10.1.2.3"], "name_denied"),
        ("ci.corp=10.0.0.0/8", "https://10.1.2.3/", &[], "address_denied:private"),
        ("*.corp=10.0.0.0/8", "https://x.corp/", &["10.1.2.3"], "allow"),
        ("*.corp=10.0.0.0/8", "https://x.corp/", &["::ffff:10.1.2.3"], "allow"),
        ("**.corp=10.0.0.0/8", "https://corp/", &["10.1.2.3"], "allow"),
        ("*=10.0.0.0/8", "https://any.example.com/", &["10.1.2.3"], "allow"),
        ("*", "https://x.corp/", &[PUBLIC], "name_denied"),
        ("*", "https://any.example.com/", &["10.1.2.3"], "address_denied"),
        ("169.254.169.254", "http://169.254.169.254/", &[], "address_denied:metadata"),
        ("x.corp=169.254.0.0/16", "http://x.corp/", &["169.254.169.254"], "address_denied"),
        ("x.corp=::/0", "http://x.corp/", &["fd00:ec2::254"], "address_denied"),
        ("x.corp=::/0", "http://x.corp/", &["64:ff9b::a9fe:a9fe"], "address_denied"),
        (
            "metadata.google.internal=169.254.0.0/16",
            "http://metadata.google.internal/",
            &["169.254.169.254"],
            "name_denied",
        ),
    ] {
        let own = guard(&json!({"allowed_hosts": [entry]}).to_string());
        assert_eq!(judge(&own, url, answers), verdict, "{entry}: {url} {answers:?}");
    }
}

#[test]
fn denials_beat_exceptions() {
    for (blocked, url, answers, verdict) in [
        ("example.com", "https://example.com/", &[PUBLIC][..], "deny_rule"),
        ("EXAMPLE.com.", "https://example.com./", &[PUBLIC], "deny_rule"),
        ("example.com:8443", "https://example.com/", &[PUBLIC], "allow"),
        ("*.example.com", "https://a.example.com/", &[PUBLIC], "deny_rule"),
        ("*.example.com", "https://example.com/", &[PUBLIC], "allow"),
        ("**.example.com", "https://example.com/", &[PUBLIC], "deny_rule"),
        ("münchen.de", "https://xn--mnchen-3ya.de/", &[PUBLIC], "deny_rule"),
        ("xn--mnchen-3ya.de", "https://MÜNCHEN.de/", &[PUBLIC], "deny_rule"),
        ("93.184.215.0/24", "https://example.com/", &[PUBLIC], "address_denied"),
        ("93.184.215.0/24", "https://example.com/", &["1.1.1.1", PUBLIC], "mixed_answer"),
        ("93.184.215.14", "https://93.184.215.14/", &[], "deny_rule"),
        ("93.184.215.0/24", "https://[::ffff:93.184.215.14]/", &[], "deny_rule"),
        ("93.184.215.0/24", "https://[2a01:4f8::5efe:5db8:d70e]/", &[], "deny_rule"),
        ("::ffff:93.184.215.0/120", "https://93.184.215.14/", &[], "deny_rule"),
        ("93.184.215.99/24", "https://example.com/", &[PUBLIC], "address_denied"),
        ("0.0.0.0/0", "https://example.com/", &[PUBLIC], "address_denied"),
        ("2606::/16", "https://example.com/", &[PUBLIC, "2606:4700::1111"], "mixed_answer"),
        ("93.184.215.0/24:443", "https://example.com:8443/", &[PUBLIC], "allow"),
        ("[2606::/16]:443", "https://[2606:4700::1111]/", &[], "deny_rule"),
    ] {
        let config = json!({
            "extra_blocked_hosts": [blocked],
            "allowed_hosts": ["**.example.com", "93.184.215.14", "*"],
        });
        assert_eq!(judge(&guard(&config.to_string()), url, answers), verdict, "{blocked}: {url}");
    }
}

#[test]
fn configurations_that_do_not_parse_block() {
    for config in [
        json!({"allowed_hosts": ["*.com"]}),
        json!({"allowed_hosts": ["**.co.uk"]}),
        json!({"allowed_hosts": [""]}),
        json!({"allowed_hosts": [" "]}),
        json!({"allowed_hosts": ["a b"]}),
        json!({"allowed_hosts": ["http://a.example.com"]}),
        json!({"allowed_hosts": ["a.example.com/x"]}),
        json!({"allowed_hosts": ["a.example.com:0x50"]}),
        json!({"allowed_hosts": ["a.example.com:70000"]}),
        json!({"allowed_hosts": ["a.example.com:-1"]}),
        json!({"allowed_hosts": ["a.example.com=10.0.0.0/33"]}),
        json!({"allowed_hosts": ["a.example.com=10.0.0"]}),
        json!({"allowed_hosts": ["a.example.com="]}),
        json!({"allowed_hosts": ["=10.0.0.0/8"]}),
        json!({"allowed_hosts": ["10.0.0.0/8"]}),
        json!({"allowed_hosts": ["127.1"]}),
        json!({"allowed_hosts": ["0x7f.1"]}),
        json!({"allowed_hosts": ["010.0.0.1"]}),
        json!({"allowed_hosts": ["a.*.example.com"]}),
        json!({"allowed_hosts": ["*example.com"]}),
        json!({"allowed_hosts": ["***.example.com"]}),
        json!({"allowed_hosts": ["*."]}),
        json!({"allowed_hosts": ["*.127.0.0.1"]}),
        json!({"allowed_hosts": ["u@example.com"]}),
        json!({"allowed_hosts": "example.com"}),
        json!({"allowed_hosts": null}),
        json!({"allowed_hosts": [1]}),
        json!({"extra_blocked_hosts": ["*"]}),
        json!({"extra_blocked_hosts": ["10.0.0.0/64"]}),
        json!({"extra_blocked_hosts": ["10.0.0.0-10.0.0.9"]}),
        json!({"extra_blocked_hosts": ["10.*.*.*"]}),
        json!({"extra_blocked_hosts": ["a.example.com=10.0.0.0/8"]}),
        json!({"extra_blocked_hosts": ["[::1"]}),
        json!({"extra_blocked_hosts": {}}),
        json!({"nat64_prefixes": ["64:ff9b:1::/48"]}),
        json!({"nat64_prefixes": ["2001:db8::/33"]}),
        json!({"nat64_prefixes": ["10.0.0.0/8"]}),
        json!({"resolve_dns": "yes"}),
        json!({"allowed_only": 1}),
        json!({"max_redirects": -1}),
        json!({"dns_timeout_ms": 1.5}),
        json!({"allow_hosts": []}),
        json!({"allowedHosts": [], "allowed_hosts": []}),
        json!([]),
        json!("x"),
        json!(true),
    ] {
        let row = json!({"id": 1, "input": "https://1.1.1.1/", "config": config});
        assert_eq!(batch(&row), ("block".to_owned(), "config_error".to_owned()), "{row}");
    }
    for config in
        [json!(null), json!({}), json!({"allowedOnly": false, "maxRedirects": 3, "resolveDns": true})]
    {
        assert_eq!(
            batch(&json!({"id": 1, "input": "https://1.1.1.1/", "config": config})).0,
            "allow",
            "{config}"
        );
    }
}

#[test]
fn only_what_is_listed() {
    for (listed, url, verdict) in [
        (&["api.example.com"][..], "https://api.example.com/", "allow"),
        (&["api.example.com"], "https://example.com/", "not_allowlisted"),
        (&["api.example.com"], "https://1.1.1.1/", "not_allowlisted"),
        (&["*"], "https://1.1.1.1/", "not_allowlisted"),
        (&["*"], "https://example.com/", "allow"),
        (&["1.1.1.1"], "https://1.1.1.1/", "allow"),
        (&[], "https://example.com/", "not_allowlisted"),
        (&["api.example.com:8443"], "https://api.example.com/", "not_allowlisted"),
    ] {
        let own = guard(&json!({"allowed_only": true, "allowed_hosts": listed}).to_string());
        assert_eq!(judge(&own, url, &[PUBLIC]), verdict, "{listed:?} {url}");
    }
}

#[test]
fn names_that_carry_an_address_need_a_lookup() {
    let unresolved = guard(r#"{"resolve_dns": false}"#);
    for name in
        ["127.0.0.1.nip.io", "10-0-0-1.sslip.io", "a.localtest.me", "lvh.me", "7f000001.rbndr.us", "x.1u.ms"]
    {
        let verdict = unresolved
            .judge_url(&format!("http://{name}/"))
            .map(drop)
            .map_err(|refusal| refusal.public_code());
        assert_eq!(verdict, Err("name_denied".to_owned()), "{name}");
    }
    assert!(unresolved.judge_url("http://127.0.0.1.example.com/").is_ok());
    assert!(Guard::default().judge_url("http://127.0.0.1.nip.io/").is_ok(), "its answer decides");
}
