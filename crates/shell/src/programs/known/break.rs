// Generated from knowledge/programs/break.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            break continue return exit logout shift times suspend caller getopts let dirs jobs bg fg wait \
            disown ulimit unalias compopt unhash rehash limit setopt unsetopt autoload zmodload",
        "bash(1) 5.2",
        "",
        "data*",
    )
    .style(Style::Raw)
    .answers()
    .prints(Output::Nothing)
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["-x"]),
                Condition::Program(&["jobs"]),
            ],
            acts: &[
                Act::Runs(1),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["zmodload", "autoload"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["$(", "`"]),
                Condition::Program(&["let"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "an expression of `let` runs a command"),
            ],
        },
    ])
    ,
    reads(
        "emulate",
        "zshbuiltins(1) 5.9",
        "-l -L -R -c=sh -o=data",
        "data*",
    )
    .prints(Output::Nothing)
    .takes(StdinRole::Ignored)
    .taken_over()
    ,
];
