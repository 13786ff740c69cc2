// Generated from knowledge/programs/runuser.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "runuser",
        "runuser(1) util-linux 2.39, compared with 2.38",
        "\
            -u|--user=data -c|--command=data --session-command=data -f|--fast -g|--group=data \
            -G|--supp-group=data -l|--login -m|-p|--preserve-environment -P|--pty -s|--shell=data \
            -w|--whitelist-environment=data",
        "",
    )
    .style(Style::Gnu)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::su),
            ],
        },
    ])
    ,
];
