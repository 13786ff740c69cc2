// Generated from knowledge/programs/iptables.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            iptables ip6tables ebtables arptables nft ufw firewall-cmd pfctl ipfw iptables-restore \
            ip6tables-restore nft-restore ipset fail2ban-client",
        "iptables(8) 1.8, nft(8) 1.0, ufw(8) 0.36",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::network::firewall),
            ],
        },
    ])
    .taken_over()
    ,
];
