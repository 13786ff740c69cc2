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
            ],
            acts: &[
                Act::Rust(crate::programs::system::chrony),
            ],
        },
    ])
    .taken_over()
    ,
];
