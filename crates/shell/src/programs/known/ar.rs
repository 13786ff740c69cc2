// Generated from knowledge/programs/ar.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "ar gar llvm-ar",
        "ar(1) binutils 2.40",
        "\
            --help --output=write --plugin=file --record-libdeps=data --target=data --thin --version",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["--output", "--plugin", "--record-libdeps", "--target", "--thin",
                        "--output=*", "--plugin=*", "--target=*"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["--plugin"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "loads a library into `{program}`"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--plugin="]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "loads a library into `{program}`"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["M", "-M"]),
            ],
            acts: &[
                Act::RunsStdin("ar"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["t*", "p*", "-t*", "-p*"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(1, false, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["x*", "-x*"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Operand(1, false, Role::Read),
                Act::WritesFile("."),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(1, false, Role::InPlace),
                Act::Operand(2, true, Role::Read),
            ],
        },
    ])
    ,
];
