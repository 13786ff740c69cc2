// Generated from knowledge/programs/taskset.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "taskset",
        "taskset(1) util-linux 2.38",
        "-a|--all-tasks -c|--cpu-list -p|--pid",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p"]),
                Condition::Operands(0, 1),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-p"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Works,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-p"]),
            ],
            acts: &[
                Act::Wraps(1),
            ],
        },
    ])
    ,
];
