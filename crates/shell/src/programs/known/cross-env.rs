// Generated from knowledge/programs/cross-env.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "cross-env env-cmd cross-env-shell",
        "cross-env 7, env-cmd 10",
        "-f|--file=read -r=read -e=data --silent --no-override --use-shell -x",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::WrapsWith(0, &Wrapping {
                        assignments: true,
                        chdir: "",
                        program: "",
                    }),
            ],
        },
    ])
    .taken_over()
    ,
];
