// Generated from knowledge/programs/crontab.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "crontab incrontab fcrontab",
        "crontab(1) 3.0",
        "-u=data -l -r -e -i -T=read -n -c -s",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::system::crontab),
            ],
        },
    ])
    .taken_over()
    ,
];
