// Generated from knowledge/programs/getconf.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "getconf",
        "getconf(1) glibc 2.36",
        "-a -v=data",
        "data*",
    )
    ,
    reads(
        "getent",
        "getent(1) glibc 2.36",
        "-i|--no-idn -s|--service=data --usage -V",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["shadow", "gshadow"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "reads password hashes"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["hosts", "ahosts", "ahostsv4", "ahostsv6"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Host),
            ],
        },
    ])
    ,
];
