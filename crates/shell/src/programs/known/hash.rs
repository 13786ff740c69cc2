// Generated from knowledge/programs/hash.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "hash",
        "bash(1) 5.2",
        "-r -l -d -t -p=file",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p"]),
            ],
            acts: &[
                Act::Finding("shell.shadowed", "another file answers to a known name"),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-p"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    ,
];
