// Generated from knowledge/programs/shutdown.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "shutdown",
        "shutdown(8) systemd 255, compared with 252",
        "-H|--halt -P|--poweroff -r|--reboot -h -k --no-wall -c --show --help",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--show", "--help"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-c"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.resource", "stops or restarts the machine"),
            ],
        },
    ])
    ,
    works(
        "reboot poweroff halt",
        "halt(8) systemd 255, compared with 252",
        "\
            --halt -p|--poweroff --reboot -f|--force -w|--wtmp-only -d|--no-wtmp -n|--no-sync --no-wall \
            --help",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--help"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.resource", "stops or restarts the machine"),
            ],
        },
    ])
    ,
    works(
        "init telinit",
        "telinit(8) systemd 255, compared with 252",
        "--help --no-wall --version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--help", "--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.resource", "stops or restarts the machine"),
                Act::Mentions,
            ],
        },
    ])
    ,
];
