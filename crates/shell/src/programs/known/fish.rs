// Generated from knowledge/programs/fish.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "fish",
        "fish(1) 3.7",
        "\
            -c|--command=data -C|--init-command=sh -d|--debug=data -o|--debug-output=write \
            -i|--interactive -l|--login -N|--no-config -n|--no-execute -p|--profile=write \
            --profile-startup=write -P|--private --print-rusage-self --print-debug-categories \
            -f|--features=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::shells::no_command),
            ],
        },
    ])
    .taken_over()
    ,
];
