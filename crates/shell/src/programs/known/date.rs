// Generated from knowledge/programs/date.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "date gdate",
        "date(1) coreutils 9.4, compared with 9.1",
        "\
            -d|--date=data --debug -f|--file=read -I?=data --iso-8601?=data -j -n -r|--reference=data \
            -R|--rfc-email|--rfc-822 --rfc-3339=data --resolution -s|--set=data -u|--utc|--universal \
            -v=data -z=data",
        "data*",
    )
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Value("-r", Role::Look),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-s"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "sets the system clock"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["0*", "1*", "2*", "3*", "4*", "5*", "6*", "7*", "8*", "9*"]),
                Condition::Lacks(&["-j"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "sets the system clock"),
            ],
        },
    ])
    ,
];
