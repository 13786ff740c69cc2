// Generated from knowledge/programs/mdatp.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            mdatp falcon-sensor clamscan freshclam crowdstrike cbagent osqueryi rkhunter chkrootkit lynis \
            aide tripwire samhain wazuh-control ossec-control sentinelctl",
        "clamscan(1) 1.3",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["disabled", "stop", "exclusion", "uninstall", "unload", "off",
                        "remove", "*disable*"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "switches a guard off or tells it to look away"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--remove*"]),
                Condition::Program(&["clamscan"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.delete", "deletes files that it finds fault with"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--move*"]),
                Condition::Program(&["clamscan"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.data_loss", "moves files away that it finds fault with"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--ext*", "--config_path*", "--flagfile*"]),
                Condition::Program(&["osqueryi"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "loads extensions or settings"),
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["--remove*", "--move*"]),
                Condition::Program(&["clamscan"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .taken_over()
    ,
];
