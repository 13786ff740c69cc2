// Generated from knowledge/programs/at.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "at batch",
        "at(1) 3.2.5",
        "-q=data -m -M -k -t=data -u=data -f=file:shell -l -d -r -b -c -v -o=data -V",
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
    ,
];
