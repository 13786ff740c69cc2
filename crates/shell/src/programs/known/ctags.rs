// Generated from knowledge/programs/ctags.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ctags etags cscope gtags",
        "ctags(1) 6.1",
        "\
            -R --recurse?=data -f|-o=write -a|--append -L=read --exclude=pat --languages=data \
            --kinds-all=data -e --fields=data --extras=data -x -b -q -k -n",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-f", "-x"]),
            ],
            acts: &[
                Act::WritesFile("tags"),
            ],
        },
    ])
    .taken_over()
    ,
];
