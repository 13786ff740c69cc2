// Generated from knowledge/programs/watchexec.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "watchexec",
        "watchexec(1) 1.25",
        "\
            -w|--watch=look -e|--exts=data -f|--filter=data -i|--ignore=data -r|--restart -s|--signal=data \
            -c|--clear?=data -q|--quiet -n -p|--postpone -d|--debounce=data --shell=prog --no-vcs-ignore \
            -N|--notify -o|--on-busy-update=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::WrapsShell(0),
            ],
        },
    ])
    .taken_over()
    ,
];
