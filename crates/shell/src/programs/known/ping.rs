// Generated from knowledge/programs/ping.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "ping ping6",
        "ping(8) iputils 20240117",
        "\
            -c=data -i=data -W=data -w=data -s=data -t=data -I=data -p=data -m=data -q=data -b=data \
            -k=data -y=data -l=data -Q=data -T=data -S=data -M=data -h=data -f",
        "data*",
    )
    .style(Style::LenientWord)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-f"]),
            ],
            acts: &[
                Act::Finding("shell.resource", "floods a host"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0.."], fits: &["@*"], except: &[], after: &["@"] },
                    "icmp", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &["@*", "+*", "#", "A",
                    "AAAA", "MX", "NS", "TXT", "SOA", "CNAME", "ANY", "PTR", "SRV", "any", "mx", "txt",
                    "ns", "IN"], after: &[] }, "icmp", Direction::Both, &[], "", false),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "traceroute traceroute6 tracepath mtr",
        "traceroute(8) 2.1",
        "\
            -c=data -i=data -W=data -w=data -s=data -t=data -I=data -p=data -m=data -q=data -b=data \
            -k=data -y=data -l=data -Q=data -T=data -S=data -M=data -f=data -h=data -x=data",
        "data*",
    )
    .style(Style::LenientWord)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0.."], fits: &["@*"], except: &[], after: &["@"] },
                    "icmp", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &["@*", "+*", "#", "A",
                    "AAAA", "MX", "NS", "TXT", "SOA", "CNAME", "ANY", "PTR", "SRV", "any", "mx", "txt",
                    "ns", "IN"], after: &[] }, "icmp", Direction::Both, &[], "", false),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "drill kdig dog delv dig host nslookup",
        "dig(1) 9.18",
        "\
            -c=data -i=data -W=data -w=data -s=data -t=data -I=data -p=data -m=data -q=data -b=data \
            -k=data -y=data -l=data -Q=data -T=data -S=data -M=data -f=data -h=data -x=data",
        "data*",
    )
    .style(Style::LenientWord)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0.."], fits: &["@*"], except: &[], after: &["@"] },
                    "dns", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &["@*", "+*", "#", "A",
                    "AAAA", "MX", "NS", "TXT", "SOA", "CNAME", "ANY", "PTR", "SRV", "any", "mx", "txt",
                    "ns", "IN"], after: &[] }, "dns", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["-x"], fits: &[], except: &[], after: &[] }, "dns",
                    Direction::Both, &[], "", false),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "fping arping nping avahi-resolve tcping httping tcptraceroute",
        "fping(8) 5.1",
        "\
            -c=data -i=data -W=data -w=data -s=data -t=data -I=data -p=data -m=data -q=data -b=data \
            -k=data -y=data -l=data -Q=data -T=data -S=data -M=data -f=data -h=data -x=data",
        "data*",
    )
    .style(Style::LenientWord)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
                Condition::Options(1, usize::MAX),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0.."], fits: &["@*"], except: &[], after: &["@"] },
                    "dns", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &["@*", "+*", "#", "A",
                    "AAAA", "MX", "NS", "TXT", "SOA", "CNAME", "ANY", "PTR", "SRV", "any", "mx", "txt",
                    "ns", "IN"], after: &[] }, "dns", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["-x"], fits: &[], except: &[], after: &[] }, "dns",
                    Direction::Both, &[], "", false),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "hping3",
        "hping3(8) 3.0",
        "\
            -c=data -i=data -W=data -w=data -s=data -t=data -I=data -p=data -m=data -q=data -b=data \
            -k=data -y=data -l=data -Q=data -T=data -M=data -f=data -h=data -x=data",
        "data*",
    )
    .style(Style::LenientWord)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.resource", "floods a host"),
            ],
        },
        Rule {
            when: &[
                Condition::Options(1, usize::MAX),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0.."], fits: &["@*"], except: &[], after: &["@"] },
                    "dns", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &["@*", "+*", "#", "A",
                    "AAAA", "MX", "NS", "TXT", "SOA", "CNAME", "ANY", "PTR", "SRV", "any", "mx", "txt",
                    "ns", "IN"], after: &[] }, "dns", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["-x"], fits: &[], except: &[], after: &[] }, "dns",
                    Direction::Both, &[], "", false),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "whois",
        "whois(1) 5.5",
        "\
            -c=data -i=data -W=data -w=data -s=data -t=data -I=data -p=data -m=data -q=data -b=data \
            -k=data -y=data -l=data -Q=data -T=data -S=data -M=data -f=data -x=data -h=data",
        "data*",
    )
    .style(Style::LenientWord)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0.."], fits: &["@*"], except: &[], after: &["@"] },
                    "dns", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &["@*", "+*", "#", "A",
                    "AAAA", "MX", "NS", "TXT", "SOA", "CNAME", "ANY", "PTR", "SRV", "any", "mx", "txt",
                    "ns", "IN"], after: &[] }, "dns", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["-x"], fits: &[], except: &[], after: &[] }, "dns",
                    Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["-h"], fits: &[], except: &[], after: &[] }, "dns",
                    Direction::Both, &[], "", false),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "iperf iperf3",
        "iperf3(1) 3.16",
        "\
            -c=data -i=data -W=data -w=data -s|--server -t=data -I=data -p=data -m=data -q=data -b=data \
            -k=data -y=data -l=data -Q=data -T=data -S=data -M=data -f=data -h=data -x=data",
        "data*",
    )
    .style(Style::LenientWord)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
                Condition::Options(1, usize::MAX),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-s"]),
            ],
            acts: &[
                Act::Works,
                Act::Listens("*", "https", &["-p"]),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0.."], fits: &["@*"], except: &[], after: &["@"] },
                    "dns", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &["@*", "+*", "#", "A",
                    "AAAA", "MX", "NS", "TXT", "SOA", "CNAME", "ANY", "PTR", "SRV", "any", "mx", "txt",
                    "ns", "IN"], after: &[] }, "dns", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["-x"], fits: &[], except: &[], after: &[] }, "dns",
                    Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["-c"], fits: &[], except: &[], after: &[] }, "dns",
                    Direction::Both, &[], "", false),
            ],
        },
    ])
    .taken_over()
    ,
];
