// Generated from knowledge/programs/timeout.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "timeout gtimeout",
        "timeout(1) coreutils 9.4, compared with 9.1",
        "\
            -k|--kill-after=num -s|--signal=data -f|--foreground -p|--preserve-status -v|--verbose",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(1),
            ],
        },
    ])
    ,
];
