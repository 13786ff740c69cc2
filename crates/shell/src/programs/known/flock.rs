// Generated from knowledge/programs/flock.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "flock",
        "flock(1) util-linux 2.39, compared with 2.38",
        "\
            -c|--command=sh -e|-x|--exclusive -s|--shared -n|--nb|--nonblock -w|--timeout|--wait=num \
            -o|--close -E|--conflict-exit-code=num -F|--no-fork -u|--unlock --verbose --fcntl",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Operand(0, false, Role::Append),
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["#"]),
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::Operand(0, false, Role::Append),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Transparent,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-c"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["*/-c", "*/--command"]),
            ],
            acts: &[
                Act::Operand(2, false, Role::Shell),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Wraps(1),
            ],
        },
    ])
    ,
];
