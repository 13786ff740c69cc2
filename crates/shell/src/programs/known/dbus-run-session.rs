// Generated from knowledge/programs/dbus-run-session.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "dbus-run-session dbus-launch",
        "dbus-run-session(1), dbus-launch(1) 1.14",
        "\
            --auto-syntax --autolaunch=data --binary-syntax --close-stderr --config-file=config \
            --csh-syntax --dbus-daemon=prog --exit-with-session --exit-with-x11 -h|--help --sh-syntax \
            --version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
];
