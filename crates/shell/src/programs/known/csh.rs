// Generated from knowledge/programs/csh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "csh tcsh",
        "tcsh(1) 6.24, and csh 20110502",
        "-c=data -b -d -e -F -f -i -l -m -n -q -s -t -v -V -x -X",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-c"], &["*"]),
            ],
            acts: &[
                Act::Transparent,
                Act::ShellText("-c"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-n"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("shell", &[]),
            ],
        },
    ])
    ,
];
