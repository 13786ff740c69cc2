// Generated from knowledge/programs/nmap.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            nmap masscan zmap rustscan nikto gobuster ffuf dirb wfuzz sqlmap hydra medusa john hashcat \
            msfconsole msfvenom crackmapexec enum4linux responder aircrack-ng ettercap bettercap mimikatz \
            linpeas.sh searchsploit",
        "nmap(1) 7.94",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::network::scanner),
            ],
        },
    ])
    .taken_over()
    ,
];
