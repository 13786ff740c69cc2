// Generated from knowledge/programs/compgen.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "compgen",
        "bash(1) 5.2",
        "\
            -a -b -c -d -e -f -g -j -k -s -u -v -o=data -A=data -C=sh -F=data -G=pat -P=data -S=data \
            -W=expand -X=pat",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-e"]),
            ],
            acts: &[
                Act::Finding("shell.env_dump", "prints the names of the environment"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-A"], &["export"]),
            ],
            acts: &[
                Act::Finding("shell.env_dump", "prints the names of the environment"),
            ],
        },
    ])
    ,
];
