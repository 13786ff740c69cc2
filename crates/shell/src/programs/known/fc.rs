// Generated from knowledge/programs/fc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "fc",
        "bash(1) 5.2",
        "-l -n -r -s -e=prog",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-l"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-l"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs a command from the history"),
            ],
        },
    ])
    ,
];
