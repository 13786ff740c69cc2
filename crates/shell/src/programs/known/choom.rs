// Generated from knowledge/programs/choom.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "choom",
        "choom(1) util-linux 2.39, compared with 2.38",
        "-n|--adjust=num -p|--pid=num -h|--help -V|--version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p"]),
                Condition::Lacks(&["-n"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-p"]),
            ],
            acts: &[
                Act::Works,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Works,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
];
