// Generated from knowledge/programs/ld.so.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "ld.so",
        "ld.so(8) man-pages 6.03",
        "\
            --list --verify --inhibit-cache --library-path=file --inhibit-rpath=data --audit=file:native \
            --preload=file:native --argv0=data --glibc-hwcaps-prepend=data --glibc-hwcaps-mask=data \
            --list-diagnostics --list-tunables",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--list", "--verify", "--list-diagnostics", "--list-tunables"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--list", "--verify", "--list-diagnostics", "--list-tunables"]),
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
];
