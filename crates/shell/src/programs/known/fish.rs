// Generated from knowledge/programs/fish.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "fish",
        "fish(1) 3.7, compared with 3.6",
        "\
            -c|--command=data -C|--init-command=sh -d|--debug=data -o|--debug-output=write \
            -i|--interactive -l|--login -N|--no-config -n|--no-execute -p|--profile=write \
            --profile-startup=write -P|--private --print-rusage-self --print-debug-categories \
            -f|--features=data -v|--version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-c"], &["*"]),
            ],
            acts: &[
                Act::Transparent,
                Act::ShellText("-c"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-n"]),
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
                Act::Interprets("shell", &[]),
            ],
        },
    ])
    ,
];
