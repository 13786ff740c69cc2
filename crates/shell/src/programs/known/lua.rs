// Generated from knowledge/programs/lua.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "lua luajit luac texlua",
        "lua(1) 5.4",
        "-e=lang:lua -i -l=file:lua -E -W -v -o=write -p -s -j=data -O?=data -b",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("lua", &["-e", "-v"]),
            ],
        },
    ])
    .taken_over()
    ,
];
