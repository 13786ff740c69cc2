// Generated from knowledge/programs/ldd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "ldd",
        "ldd(1) man-pages 6.03",
        "-v|--verbose -u|--unused -d|--data-relocs -r|--function-relocs -V|--version",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["*/*"], except: &["/usr/*", "/bin/*",
                    "/sbin/*", "/lib*"], after: &[] }, Role::File("")),
            ],
        },
    ])
    ,
];
