// Generated from knowledge/programs/coreutils.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "coreutils",
        "coreutils(1) 9.4",
        "--coreutils-prog=data --coreutils-prog-shebang=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--coreutils-prog"]),
            ],
            acts: &[
                Act::WrapsWith(0, &Wrapping {
                        assignments: false,
                        chdir: "",
                        program: "--coreutils-prog",
                    }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--coreutils-prog-shebang"]),
            ],
            acts: &[
                Act::WrapsWith(0, &Wrapping {
                        assignments: false,
                        chdir: "",
                        program: "--coreutils-prog-shebang",
                    }),
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
