// Generated from knowledge/programs/setcap.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "setcap setpcap capset",
        "setcap(8) libcap 2.66",
        "",
        "data* meta",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "gives a file capabilities"),
            ],
        },
    ])
    ,
];
