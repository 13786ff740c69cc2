// Generated from knowledge/programs/tmpreaper.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "tmpreaper",
        "tmpreaper(8) 1.6.17",
        "\
            -a|--all -c|--ctime --delay?=num -f|--force -h -M|--mtime-dir -m|--mtime --protect=pat \
            -s|--symlinks --showdeleted -T|--runtime=num -t|--test -v|--verbose?=num",
        "data",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-t", "-h"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(1, true, Role::Look),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::DeletesOperand(1, true, &["always"], &["always"]),
            ],
        },
    ])
    ,
    named(
        "tmpwatch",
        "tmpwatch(8) 2.11",
        "\
            -a|--all -c|--ctime -d|--nodirs -f|--force -M|--dirmtime -m|--mtime -q|--quiet -t|--test \
            -u|--atime -v|--verbose",
        "data",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::DeletesOperand(1, true, &["always"], &["always"]),
            ],
        },
    ])
    .taken_over()
    ,
];
