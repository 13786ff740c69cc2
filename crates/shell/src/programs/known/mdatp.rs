// Generated from knowledge/programs/mdatp.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            mdatp falcon-sensor clamscan freshclam crowdstrike cbagent osqueryi rkhunter chkrootkit lynis \
            aide tripwire samhain wazuh-control ossec-control sentinelctl",
        "clamscan(1) 1.3",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::system::guards),
            ],
        },
    ])
    .taken_over()
    ,
];
