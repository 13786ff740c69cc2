// Generated from knowledge/programs/shx.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "shx",
        "shx --help 0.4.0",
        "--fatal --negate --noglob --silent --verbose -v|--version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Works,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["cmd"]),
            ],
            acts: &[
                Act::Wraps(1),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
];
