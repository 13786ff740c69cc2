// Generated from knowledge/programs/watch.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "watch",
        "watch(1) procps 4.0.2, and what later 4.0 added",
        "\
            -b|--beep -c|--color -C|--no-color -d|--differences?=data -e|--errexit -f|--follow \
            -g|--chgexit -n|--interval=num -p|--precise -q|--equexit=num -r|--no-rerun -s|--shotsdir=dir \
            -t|--no-title -v|--version -w|--no-wrap -x|--exec",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-x"]),
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-x"]),
            ],
            acts: &[
                Act::WrapsShell(0),
            ],
        },
    ])
    ,
];
