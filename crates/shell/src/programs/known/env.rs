// Generated from knowledge/programs/env.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "env genv",
        "env(1) coreutils 9.4, compared with 9.1",
        "\
            -i|--ignore-environment -0|--null -u|--unset=data -C|--chdir=data -S|--split-string=data \
            -v|--debug --block-signal?=data --default-signal?=data --ignore-signal?=data \
            --list-signal-handling -a|--argv0=data -P=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::env),
            ],
        },
    ])
    ,
];
