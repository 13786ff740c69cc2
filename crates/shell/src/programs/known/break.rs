// Generated from knowledge/programs/break.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            break continue return exit logout shift times suspend caller getopts let dirs jobs bg fg wait \
            disown ulimit unalias compopt unhash rehash limit setopt unsetopt autoload zmodload emulate",
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
            ],
            acts: &[
                Act::Rust(crate::programs::builtins::shell_state),
            ],
        },
    ])
    .taken_over()
    ,
];
