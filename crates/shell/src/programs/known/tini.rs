// Generated from knowledge/programs/tini.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "tini tini-static",
        "tini -h 0.19",
        "-e=num -g -l -p=data -s -v -w",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
    wraps(
        "dumb-init",
        "dumb-init --help 1.2.5",
        "-c|--single-child -r|--rewrite=data -v|--verbose",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
    wraps(
        "catatonit",
        "catatonit --help 0.1.7",
        "-g -L -P",
        "",
    )
    .rules(&[
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
