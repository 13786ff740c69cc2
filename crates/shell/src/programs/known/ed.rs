// Generated from knowledge/programs/ed.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ed red",
        "ed(1) 1.20, compared with 1.19",
        "\
            -E|--extended-regexp -G|--traditional -h|--help -l|--loose-exit-status -p|--prompt=data \
            -q|--quiet|--silent -r|--restricted -s|--script --strip-trailing-cr -V -v|--verbose",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &["!*"], except: &[], after: &["!"] }, Role::Shell),
                Act::Picked(Pick { at: &["0"], fits: &[], except: &["!*"], after: &[] }, Role::Read),
                Act::Picked(Pick { at: &["0"], fits: &[], except: &["!*"], after: &[] }, Role::InPlace),
                Act::RunsStdin("ed"),
            ],
        },
    ])
    ,
];
