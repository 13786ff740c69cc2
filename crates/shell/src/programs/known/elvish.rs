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
                Condition::Value(&["-c"], &["*"]),
            ],
            acts: &[
                Act::Transparent,
                Act::ShellText("-c"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-n"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("shell", &[]),
            ],
        },
    ])
    .taken_over()
    ,
];
