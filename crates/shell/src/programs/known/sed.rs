// Generated from knowledge/programs/sed.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "sed gsed ssed",
        "sed(1) 4.9",
        "\
            -n|--quiet|--silent --debug -e|--expression=data -f|--file=data --follow-symlinks -i?=data \
            --in-place?=data -l|--line-length=num --posix -E|-r|--regexp-extended -s|--separate --sandbox \
            -u|--unbuffered -z|--null-data -a",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::text::sed),
            ],
        },
    ])
    ,
];
