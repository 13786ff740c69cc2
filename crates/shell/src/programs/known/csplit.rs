// Generated from knowledge/programs/csplit.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "csplit",
        "csplit(1) coreutils 9.4, compared with 9.1",
        "\
            -b|--suffix-format=data -f|--prefix=data -k|--keep-files --suppress-matched -n|--digits=num \
            -s|-q|--silent|--quiet -z|--elide-empty-files",
        "read data*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::WritesFile("{-f|xx}00"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-b"]),
            ],
            acts: &[
                Act::WritesFile("{-f|xx}{-b|00}"),
            ],
        },
    ])
    ,
];
