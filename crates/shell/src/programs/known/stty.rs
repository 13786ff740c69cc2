// Generated from knowledge/programs/stty.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "stty gstty",
        "stty(1) coreutils 9.4, compared with 9.1",
        "-a|--all -F|--file=look -g|--save",
        "data*",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["-a", "--all", "-g", "--save", "size", "speed"]),
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
];
