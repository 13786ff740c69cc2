// Generated from knowledge/programs/command.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "command",
        "bash(1) 5.2",
        "-p -v -V",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v", "-V"]),
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
                Act::Wraps(0),
            ],
        },
    ])
    ,
];
