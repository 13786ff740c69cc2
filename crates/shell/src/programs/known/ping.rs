// Generated from knowledge/programs/ping.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "ping ping6",
        "ping(8) iputils 20240117, compared with 20221126",
        "\
            -3 -4 -6 -A -a -B -b -C -c=num -D -d -e=num -F=data -f -H -h -I=data -i=num -L -l=num -M=data \
            -m=num -N=data -n -O -p=data -Q=data -q -R -r -S=num -s=num -T=data -t=num -U -V -v -W=num \
            -w=num",
        "",
    )
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &[], after: &[] }, "icmp",
                    Direction::Both, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-f"]),
            ],
            acts: &[
                Act::Finding("shell.resource", "floods a host"),
            ],
        },
    ])
    ,
    reads(
        "arping",
        "arping(8) iputils 20240117, compared with 20221126",
        "-A -b -c=num -D -f -h -I=data -i=num -q -s=data -U -V -w=num",
        "",
    )
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &[], after: &[] }, "icmp",
                    Direction::Both, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-A", "-U"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
    ])
    ,
    reads(
        "tracepath",
        "tracepath(8) iputils 20240117, compared with 20221126",
        "-4 -6 -b -l=num -m=num -n -p=num -V",
        "",
    )
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &[], after: &[] }, "icmp",
                    Direction::Both, &[], "", false),
            ],
        },
    ])
    ,
    reads(
        "traceroute traceroute6 tcptraceroute",
        "traceroute(1) 2.1.2",
        "\
            -4 -6 -A|--as-path-lookups --back -D|--dccp -d|--debug -e|--extensions -F|--dont-fragment \
            -f|--first=num --fwmark=num -g|--gateway=host -I|--icmp -i|--interface=data -l|--flowlabel=num \
            -M|--module=data -m|--max-hops=num --mtu -N|--sim-queries=num -n -O|--options=data \
            -P|--protocol=data -p|--port=num -q|--queries=num -r -s|--source=data --sport=num -T|--tcp \
            -t|--tos=num -U|--udp -UL -V|--version -w|--wait=data -z|--sendwait=num",
        "",
    )
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "icmp",
                    Direction::Both, &[], "", false),
            ],
        },
    ])
    ,
    reads(
        "mtr",
        "mtr(8) 0.95",
        "\
            -4 -6 -a|--address=data -B|--bitpattern=num -b|--show-ips -C|--csv -c|--report-cycles=num \
            --displaymode=num -e|--mpls -F|--filename=read -f|--first-ttl=num -G|--gracetime=num -g|--gtk \
            -h|--help -I|--interface=data -i|--interval=num -j|--json -L|--localport=num -l|--raw \
            -M|--mark=num -m|--max-ttl=num -n|--no-dns -o|--order=data -P|--port=num -p|--split \
            -Q|--tos=num -r|--report -S|--sctp -s|--psize=num -T|--tcp -t|--curses -U|--max-unknown=num \
            -u|--udp -v|--version -w|--report-wide -x|--xml -y|--ipinfo=num -Z|--timeout=num -z|--aslookup",
        "",
    )
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &[], after: &[] }, "icmp",
                    Direction::Both, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-F"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
            ],
        },
    ])
    ,
    reads(
        "host",
        "host(1) 9.18",
        "\
            -4 -6 -A -a -C -c=data -d -l -m=data -N=num -p=num -R=num -r -s -T -t=data -U -V -v -W=num -w",
        "",
    )
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &[], after: &[] }, "dns",
                    Direction::Both, &[], "", false),
            ],
        },
    ])
    ,
    reads(
        "whois",
        "whois(1) 5.5.17",
        "\
            -a -B -b -c -d -G -g=data -H -h|--host=host -I -i=data -K -L -l -M -m --no-recursion \
            -p|--port=num -q=data -R -r -s=data -T=data -t=data -v=data --verbose -x",
        "",
    )
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &[], after: &[] }, "dns",
                    Direction::Both, &[], "", false),
            ],
        },
    ])
    ,
    reads(
        "fping",
        "fping(8) 5.1",
        "\
            -4|--ipv4 -6|--ipv6 -A|--addr -a|--alive -B|--backoff=num -b|--size=num -C|--vcount=num \
            -c|--count=num -D|--timestamp -d|--rdns -e|--elapsed -f|--file=read -g|--generate -H|--ttl=num \
            -h|--help -I|--iface=data -i|--interval=num -l|--loop -M|--dontfrag -m|--all -N|--netdata \
            -n|--name -O|--tos=num -o|--outage -p|--period=num -Q|--squiet=num -q|--quiet -R|--random \
            -r|--retry=num -S|--src=data -s|--stats -T=num -t|--timeout=num -u|--unreach -v|--version \
            -x|--reachable=num",
        "",
    )
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0.."], fits: &[], except: &[], after: &[] }, "icmp",
                    Direction::Both, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-f", "-g"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
            ],
        },
    ])
    ,
    reads(
        "drill kdig dog delv dig nslookup",
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
                Condition::Has(&["-f", "-i", "-m", "-q", "-S", "-s", "-T", "-w", "-b"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
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
        "nping avahi-resolve tcping httping",
        "nping(1), httping(1) 7.93, 2.5",
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
                Condition::Has(&["-f", "-i", "-m", "-q", "-S", "-s", "-T", "-w", "-b"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
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
                Condition::Has(&["-f", "-i", "-m", "-q", "-s", "-T", "-w", "-b"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
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
