// Generated from knowledge/programs/split.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "split gsplit",
        "split(1) coreutils 9.4",
        "\
            -# -a|--suffix-length=num --additional-suffix=data -b|--bytes=num -C|--line-bytes=num -d \
            --numeric-suffixes?=num -x --hex-suffixes?=num -e|--elide-empty-files --filter=sh \
            -l|--lines=num -n|--number=data -t|--separator=data -u|--unbuffered --verbose -p=pat",
        "read data",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::coreutils::split),
            ],
        },
    ])
    .taken_over()
    ,
];
