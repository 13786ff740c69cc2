// Generated from knowledge/programs/ed.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ed red",
        "ed(1) 1.20",
        "-p=data -s -E -r -G -l -v --restricted --extended-regexp --traditional",
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
    .taken_over()
    ,
];
