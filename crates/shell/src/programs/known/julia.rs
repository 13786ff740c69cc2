// Generated from knowledge/programs/julia.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "julia",
        "julia(1) 1.10",
        "\
            -e|--eval=lang:julia -E|--print=lang:julia -L|--load=file:julia -J|--sysimage=file \
            -H|--home=look -p|--procs=data -t|--threads=data --project?=look --startup-file=data \
            --history-file=data -i -q|--quiet -O?=num --check-bounds=data --color=data --compile=data \
            --depwarn=data -v|--version",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("julia", &["-e", "-E", "-v"]),
            ],
        },
    ])
    .taken_over()
    ,
];
