// Generated from knowledge/programs/unset.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "unset",
        "bash(1), zshbuiltins(1) bash 5.2, zsh 5.9",
        "-f -v -n -m",
        "data*",
    )
    .prints(Output::Nothing)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["HISTFILE", "HISTSIZE", "HISTFILESIZE", "PROMPT_COMMAND"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "stops the shell from keeping its history"),
            ],
        },
    ])
    ,
];
