// Generated from knowledge/programs/test.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "test [ [[",
        "test(1) coreutils 9.4",
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
    ])
    .taken_over()
    ,
];
