// Generated from knowledge/programs/setlocal.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "setlocal direnv-exec dotenvx dotenv",
        "dotenv(1) unknown",
        "-f=read -e=data -o --override --no-override",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["run", "--"]),
            ],
            acts: &[
                Act::Wraps(1),
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["run", "--"]),
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    .taken_over()
    ,
];
