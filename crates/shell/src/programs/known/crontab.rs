// Generated from knowledge/programs/crontab.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "crontab incrontab fcrontab",
        "crontab(1) cron 3.0pl1",
        "-u=data -l -r -e -i -T=read -n -c -s -h",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-l", "-T", "-h"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-r"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "deletes the crontab"),
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
                Condition::First(&["-"]),
            ],
            acts: &[
                Act::RunsStdin("crontab"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-e"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::RunsStdin("crontab"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, false, Role::File("crontab")),
            ],
        },
    ])
    ,
];
