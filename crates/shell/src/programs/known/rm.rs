// Generated from knowledge/programs/rm.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "rm grm zf_rm",
        "rm(1) coreutils 9.4, compared with 9.1",
        "\
            -f|--force -i -I --interactive?=data --one-file-system --no-preserve-root \
            --preserve-root?=data -r|-R|--recursive -d|--dir -v|--verbose -P -W -x",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::DeletesOperand(0, true, &["-r"], &["-f", "--no-preserve-root"]),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--no-preserve-root"]),
            ],
            acts: &[
                Act::Finding("shell.delete", "rm without its guard for the root folder"),
            ],
        },
    ])
    ,
];
