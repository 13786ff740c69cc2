// Generated from knowledge/programs/mosh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "mosh et",
        "mosh(1) 1.4",
        "\
            --ssh=prog -p|--port=num --server=data --client=prog --predict=data -a -n -4 -6 --no-init \
            --local --experimental-remote-ip=data",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::ssh::ssh),
            ],
        },
    ])
    .taken_over()
    ,
];
