// Generated from knowledge/programs/firejail.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "firejail",
        "firejail(1) 0.9.72",
        "--list --tree --top --version",
        "data*",
    )
    .style(Style::LenientPosix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--list", "--tree", "--top", "--version"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Transparent,
                Act::RunsStdin("shell"),
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
        Rule {
            when: &[
                Condition::Contains(&["--get=", "--put=", "--output=", "--output-stderr=", "--shutdown=",
                        "--build="]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
                Act::Finding("shell.tamper", "reaches past the sandbox"),
            ],
        },
    ])
    .taken_over()
    ,
];
