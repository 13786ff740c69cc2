// Generated from knowledge/programs/umask.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "umask",
        "bash(1) 5.2",
        "-p -S",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["*0", "*1", "*4", "*5"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "lets everybody write what is made from now on"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*o*=*w*", "*o*+*w*", "*a*=*w*", "*a*+*w*", "=*w*", "+*w*"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "lets everybody write what is made from now on"),
            ],
        },
    ])
    ,
];
