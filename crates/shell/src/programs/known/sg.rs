// Generated from knowledge/programs/sg.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "sg newgrp",
        "sg(1) 4.13",
        "-c=sh",
        "",
    )
    .style(Style::Gnu)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Group, "runs with another group"),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-c"]),
            ],
            acts: &[
                Act::WrapsShell(1),
            ],
        },
    ])
    .taken_over()
    ,
];
