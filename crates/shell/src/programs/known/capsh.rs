// Generated from knowledge/programs/capsh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "capsh",
        "capsh(1) libcap 2.66",
        "\
            --print --drop=data --caps=data --inh=data --uid=num --gid=num --user=data --keep=num \
            --secbits=num --chroot=data --shell=data --decode=data --supports=data --has-p=data --noamb \
            --addamb=data",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::capsh),
            ],
        },
    ])
    .taken_over()
    ,
];
