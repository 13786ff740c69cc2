// Generated from knowledge/programs/head.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "head ghead",
        "head(1) coreutils 9.1",
        "\
            -# -c|--bytes=num -n|--lines=num -q|--quiet|--silent -v|--verbose -z|--zero-terminated",
        "read*",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-c", "-n"], &["0"]),
            ],
            acts: &[
                Act::Prints(Output::Nothing),
            ],
        },
    ])
    ,
];
