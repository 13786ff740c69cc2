// Generated from knowledge/programs/dbus-run-session.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "dbus-run-session dbus-launch",
        "dbus-run-session(1) 1.14",
        "--config-file=read --dbus-daemon=prog --exit-with-session --sh-syntax",
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
    .taken_over()
    ,
];
