// Generated from knowledge/programs/flock.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "flock",
        "flock(1) util-linux 2.39",
        "\
            -c|--command=data -e|-x|--exclusive -s|--shared -n|--nb|--nonblock -w|--timeout|--wait=num \
            -o|--close -E|--conflict-exit-code=num -F|--no-fork -u|--unlock --verbose --fcntl",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::flock),
            ],
        },
    ])
    .taken_over()
    ,
];
