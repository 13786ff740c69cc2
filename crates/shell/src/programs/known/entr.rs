// Generated from knowledge/programs/entr.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "entr",
        "entr(1) 5.5, compared with 5.3",
        "-a -c -d -n -p -r -s -x -z",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-s"]),
            ],
            acts: &[
                Act::WrapsShell(0),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-s"]),
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
];
