// Generated from knowledge/programs/wsl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "wsl",
        "wsl --help 2.1",
        "\
            -d|--distribution=data -u|--user=data -e|--exec --cd=data --shell-type=data --system -l|--list \
            --status --shutdown --terminate=data --unregister=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--unregister"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "deletes a distribution"),
                Act::Stop,
            ],
        },
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
