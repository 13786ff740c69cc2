// Generated from knowledge/programs/tmpreaper.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "tmpreaper tmpwatch",
        "tmpreaper(8) 1.6",
        "\
            -a|--all -c|--ctime -d|--nodirs -f|--force -m|--mtime -M|--mtime-dir -q|--quiet -s|--symlinks \
            -t|--test -u|--atime -v|--verbose -T|--runtime=num --delay?=num --showdeleted --protect=pat",
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
