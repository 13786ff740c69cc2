// Generated from knowledge/programs/restic.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "restic borg duplicity tarsnap kopia rdiff-backup duplicacy bup",
        "restic 0.16, borg 1.2",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &[">--password-command", ">--rsh", ">--remote-path"],
                    fits: &[], except: &[], after: &[] }, Role::Shell),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["forget", "prune", "delete", "key", "compact", "remove", "recreate"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "deletes backups"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["restore", "extract"]),
            ],
            acts: &[
                Act::WritesFile("."),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["snapshots", "list", "ls", "stats", "info", "diff", "check", "version",
                        "find", "cat"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .taken_over()
    ,
];
