// Generated from knowledge/programs/mktemp.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "mktemp",
        "mktemp(1) coreutils 9.1",
        "\
            -d|--directory -u|--dry-run -q|--quiet --suffix=data -p=data --tmpdir?=data -V|--version -t",
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
    ,
    named(
        "tempfile",
        "tempfile(1) debianutils 4.11",
        "-d|--directory=dir -m|--mode=data -n|--name=write -p|--prefix=data -s|--suffix=data",
        "",
    )
    .prints(Output::Other)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Mode("-m"),
            ],
        },
    ])
    .taken_over()
    ,
];
