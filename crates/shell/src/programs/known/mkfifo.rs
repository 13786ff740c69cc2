// Generated from knowledge/programs/mkfifo.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "mkfifo",
        "mkfifo(1) coreutils 9.1",
        "-m|--mode=data -Z --context?=data",
        "write*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Mode("-m"),
            ],
        },
    ])
    ,
    named(
        "mknod",
        "mknod(1) coreutils 9.1",
        "-m|--mode=data -Z --context?=data",
        "write data*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Mode("-m"),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(4, usize::MAX),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "makes a device file"),
            ],
        },
    ])
    ,
];
