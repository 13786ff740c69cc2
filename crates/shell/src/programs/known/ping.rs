// Generated from knowledge/programs/ping.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            ping ping6 fping arping tracepath traceroute traceroute6 mtr tcptraceroute iperf iperf3 nping \
            hping3 whois dig host nslookup drill kdig dog delv avahi-resolve tcping httping",
        "ping(8) iputils 20240117, dig(1) 9.18",
        "",
        "",
    )
    .style(Style::Raw)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::network::look_up),
            ],
        },
    ])
    .taken_over()
    ,
];
