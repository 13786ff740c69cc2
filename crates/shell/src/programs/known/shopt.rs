// Generated from knowledge/programs/shopt.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "shopt",
        "bash(1) 5.2",
        "-p -q -s -u -o",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-u"]),
                Condition::Operand(&["history"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "stops the shell from keeping its history"),
            ],
        },
    ])
    ,
];
