// Generated from knowledge/programs/sg.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "sg newgrp",
        "sg(1) 4.13, newgrp(1) util-linux 2.38",
        "-c=sh",
        "",
    )
    .style(Style::Gnu)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Group, "runs with another group"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["-"]),
                Condition::Lacks(&["-c"]),
                Condition::Operands(0, 2),
            ],
            acts: &[
                Act::RunsStdin("shell"),
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["-"]),
                Condition::Lacks(&["-c"]),
                Condition::Operands(0, 1),
            ],
            acts: &[
                Act::RunsStdin("shell"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["-"]),
                Condition::Lacks(&["-c"]),
            ],
            acts: &[
                Act::WrapsShell(2),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-c"]),
            ],
            acts: &[
                Act::WrapsShell(1),
            ],
        },
    ])
    ,
];
