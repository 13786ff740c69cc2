// Generated from knowledge/programs/ldd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "ldd",
        "ldd(1) glibc 2.39",
        "-v|--verbose -u|--unused -d|--data-relocs -r|--function-relocs -V|--version",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::OperandOf(0, true, Role::File(""), &Choice {
                        only: &["*/*"],
                        unless: &["/usr/*", "/bin/*", "/sbin/*", "/lib*"],
                        ..Choice::ALL
                    }),
            ],
        },
    ])
    .taken_over()
    ,
];
