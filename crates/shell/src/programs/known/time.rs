// Generated from knowledge/programs/time.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "time gtime",
        "time(1) GNU 1.9",
        "\
            -a|--append -f|--format=data -l -h -o|--output=data -p|--portability -q|--quiet -v|--verbose",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-a"]),
            ],
            acts: &[
                Act::Value("-o", Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-a"]),
            ],
            acts: &[
                Act::Value("-o", Role::Append),
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
