// Generated from knowledge/programs/tclsh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "tclsh tcl",
        "tclsh(1) Tcl 8.6",
        "-encoding=data",
        "",
    )
    .style(Style::WordPosix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("tcl", &[]),
            ],
        },
    ])
    ,
    works(
        "wish",
        "wish(1) Tk 8.6",
        "\
            -colormap=data -display=data -encoding=data -geometry=data -name=data -sync -use=data \
            -visual=data",
        "",
    )
    .style(Style::WordPosix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("tcl", &[]),
            ],
        },
    ])
    ,
];
