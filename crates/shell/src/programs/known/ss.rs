// Generated from knowledge/programs/ss.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            ss netstat ifstat nethogs iftop nload bmon vnstat sockstat lsof fuser-list ipcalc sipcalc \
            ethtool iwconfig iw nmcli networkctl resolvectl systemd-resolve scutil networksetup airport \
            arp route ifconfig ip tc bridge nstat rtmon",
        "ip(8) iproute2 6.7, ss(8)",
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
                Act::Rust(crate::programs::network::settings),
            ],
        },
    ])
    .taken_over()
    ,
];
