// Generated from knowledge/programs/svn.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "svn svnadmin svnlook svnsync",
        "svn(1) 1.14",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::forge::svn),
            ],
        },
    ])
    .taken_over()
    ,
];
