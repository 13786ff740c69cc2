// Generated from knowledge/programs/mosh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "mosh et",
        "mosh(1) 1.4.0",
        "\
            --ssh=sh --ssh-pty --no-ssh-pty -p|--port=num --server=data --client=prog --predict=data \
            --predict-overwrite -o --family=data --bind-server=data -a -n -4 -6 --no-init --local \
            --experimental-remote-ip=data",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsRemoteValue("--server", "another host"),
                Act::Rust(crate::programs::ssh::ssh),
            ],
        },
    ])
    ,
];
