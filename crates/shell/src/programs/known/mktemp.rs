// Generated from knowledge/programs/mktemp.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "mktemp tempfile",
        "mktemp(1) coreutils 9.4",
        "-d|--directory -u|--dry-run -q|--quiet --suffix=data -p=data --tmpdir?=data -t",
        "data*",
    )
    .prints(Output::Other)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-u"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-p"], &["*"]),
            ],
            acts: &[
                Act::WritesFile("{-p}/{0|tmp.XXXXXXXXXX}"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--tmpdir"], &["*"]),
            ],
            acts: &[
                Act::WritesFile("{--tmpdir}/{0|tmp.XXXXXXXXXX}"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-t", "--tmpdir"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Write),
            ],
        },
    ])
    .taken_over()
    ,
];
