// Generated from knowledge/programs/elvish.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "elvish nu xonsh es rc oil osh ysh ion murex",
        "fish(1) and kin",
        "-c|--commands=data -n -l -i -x -e",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::shells::no_command),
            ],
        },
    ])
    .taken_over()
    ,
];
