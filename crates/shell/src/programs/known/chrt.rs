// Generated from knowledge/programs/chrt.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "chrt",
        "chrt(1) util-linux 2.39",
        "\
            -a|--all-tasks -b|--batch -d|--deadline -e|--ext -f|--fifo -i|--idle -m|--max -o|--other \
            -p|--pid -r|--rr -R|--reset-on-fork -T|--sched-runtime=num -P|--sched-period=num \
            -D|--sched-deadline=num -v|--verbose",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::chrt),
            ],
        },
    ])
    .taken_over()
    ,
];
