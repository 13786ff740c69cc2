// Generated from knowledge/programs/dc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "dc",
        "dc(1) 1.4",
        "\
            -e|--expression=lang:dc -f|--file=file:dc -h|--help -V|--version -x -z|--leading-zeroes -i -s \
            -q",
        "file:dc*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
                Condition::Options(0, 0),
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::RunsStdin("dc"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-"]),
            ],
            acts: &[
                Act::RunsStdin("dc"),
            ],
        },
    ])
    ,
];
