// Generated from knowledge/programs/m4.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "m4 gm4",
        "m4(1) 1.4",
        "\
            -P -E -i -e -Q -s -I=look -D=data -U=data -d?=data -l=num -o=write -t=data -F=write -R=file \
            --reload-state=file",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::File("m4")),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::RunsStdin("m4"),
            ],
        },
    ])
    .taken_over()
    ,
];
