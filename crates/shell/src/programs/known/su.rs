// Generated from knowledge/programs/su.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "su",
        "su(1) util-linux 2.39, compared with 2.38",
        "\
            -c|--command=data --session-command=data -f|--fast -g|--group=data -G|--supp-group=data \
            -l|--login -m|-p|--preserve-environment -P|--pty -s|--shell=data -T|--no-pty \
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
        Rule {
            when: &[
                Condition::Value(&["-s"], &["./*", "../*", "~*", "/home/*", "/tmp/*", "/var/tmp/*"]),
            ],
            acts: &[
                Act::Value("-s", Role::File("")),
            ],
        },
    ])
    ,
];
