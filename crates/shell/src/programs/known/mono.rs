// Generated from knowledge/programs/mono.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "mono dotnet-script wine wine64",
        "mono(1) 6.12",
        "",
        "data*",
    )
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Contains(&["output=|"]),
                Condition::Program(&["mono"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "gives what it records to a program"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--debugger-agent"]),
                Condition::Program(&["mono"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, false, Role::File("")),
            ],
        },
    ])
    .taken_over()
    ,
];
