// Generated from knowledge/programs/split.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "split gsplit",
        "split(1) coreutils 9.4, compared with 9.1",
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
                Condition::Has(&["--filter"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-n"], &["0*/*", "1*/*", "2*/*", "3*/*", "4*/*", "5*/*", "6*/*", "7*/*", "8*/*",
                        "9*/*", "l/*/*", "r/*/*"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::WritesFile("{1|x}aa"),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
    ])
    ,
];
