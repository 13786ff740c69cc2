// Generated from knowledge/programs/wg.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            wg wg-quick openvpn tailscale zerotier-cli nebula ngrok cloudflared localtunnel lt bore frpc \
            frps chisel serveo sshuttle tor pagekite",
        "tailscale 1.58, ngrok 3",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::network::tunnel),
            ],
        },
    ])
    .taken_over()
    ,
];
