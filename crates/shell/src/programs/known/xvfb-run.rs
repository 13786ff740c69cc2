// Generated from knowledge/programs/xvfb-run.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "xvfb-run",
        "xvfb-run(1) 21.1",
        "\
            -a|--auto-servernum -e|--error-file=write -f|--auth-file=write -l|--listen-tcp \
            -n|--server-num=num -p|--xauth-protocol=data -s|--server-args=data -w|--wait=num",
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
        Rule {
            when: &[
                Condition::Has(&["-l"]),
            ],
            acts: &[
                Act::Listens("*", "x11", &["-n"]),
            ],
        },
    ])
    ,
];
