// Generated from knowledge/programs/test.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "test [ [[",
        "test(1), bash(1) coreutils 9.1, bash 5.2",
        "",
        "",
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
                Act::Rust(crate::programs::builtins::test),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["[$(", "[`"]),
                Condition::Word(&["-v", "-R"]),
            ],
            acts: &[
                Act::Acts,
                Act::Finding("shell.obfuscated", "runs the index of a variable as code"),
            ],
        },
    ])
    ,
];
