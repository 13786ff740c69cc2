// Generated from knowledge/programs/at.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "at batch",
        "at(1) 3.2",
        "-q=data -m -M -t=data -f=file:shell -l -d -r -c -v -V",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-l", "-V"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-d", "-r", "-c"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.persistence", "makes something run later"),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-f"]),
            ],
            acts: &[
                Act::RunsStdin("shell"),
            ],
        },
    ])
    .taken_over()
    ,
];
