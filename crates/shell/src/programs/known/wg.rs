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
                Condition::First(&["status", "version", "show", "ip", "netcheck", "info", "--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
                Condition::Program(&["wg"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUnknown("tunnel", Direction::Both),
                Act::Finding("shell.upload", "{program} opens a way into or out of this machine"),
            ],
        },
    ])
    .taken_over()
    ,
];
