// Generated from knowledge/programs/shred.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "shred srm wipe",
        "shred(1) coreutils 9.4",
        "\
            -f|--force -n|--iterations=num --random-source=read -s|--size=num -u --remove?=data \
            -v|--verbose -x|--exact -z|--zero -r -R -q -c -k -l -P -m",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::DeletesOperand(0, true, &["-r"], &["always"]),
            ],
        },
    ])
    .taken_over()
    ,
];
