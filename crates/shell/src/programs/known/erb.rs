// Generated from knowledge/programs/erb.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "erb",
        "erb(1) 3.1",
        "-n -v -x -h --help -r=data -S=data -T=data -U -E=data -P",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("ruby", &[]),
            ],
        },
    ])
    .taken_over()
    ,
];
