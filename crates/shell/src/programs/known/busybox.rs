// Generated from knowledge/programs/busybox.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "busybox toybox",
        "busybox(1) 1.35",
        "--list --list-full --help --install -s",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--list", "--list-full", "--help"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--install"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "replaces programs of the system"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--install"]),
            ],
            acts: &[
                Act::Acts,
                Act::Operand(0, false, Role::Dir),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
];
