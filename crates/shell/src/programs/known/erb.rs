// Generated from knowledge/programs/erb.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "erb",
        "erb(1) 3.1",
        "-n -v -x -h|--help -d|--debug -r=data -S=data -T=data -U -E|--encoding=data -P",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-x"]),
                Condition::Lacks(&["-r"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(0, true, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-r"]),
            ],
            acts: &[
                Act::RunsPath("-r"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("ruby", &[]),
            ],
        },
    ])
    ,
];
