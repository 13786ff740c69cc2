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
                Condition::Operand(&["masterkey"]),
                Condition::Program(&["restic"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints the key of the repository"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["sftp.command=", "sftp.args=", "rclone.program=", "rclone.args="]),
                Condition::Program(&["restic"]),
            ],
            acts: &[
                Act::Acts,
                Act::Finding("shell.obfuscated", "names the program that connects"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--stdin-from-command", "--content-from-command",
                        "--paths-from-command"]),
            ],
            acts: &[
                Act::Acts,
                Act::Finding("shell.obfuscated", "runs a command and keeps what it prints"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["with-lock"]),
                Condition::Program(&["borg"]),
            ],
            acts: &[
                Act::Runs(2),
            ],
        },
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
