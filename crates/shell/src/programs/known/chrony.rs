// Generated from knowledge/programs/chrony.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "chrony chronyc ntpdate ntpd hwclock rdate",
        "hwclock(8) util-linux 2.39",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["tracking", "sources", "-r", "--show", "sourcestats"]),
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
                Act::Privilege(PrivilegeKind::Kernel, "sets the clock"),
            ],
        },
    ])
    .taken_over()
    ,
];
