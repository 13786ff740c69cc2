// Generated from knowledge/programs/shred.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "shred",
        "shred(1) coreutils 9.4, compared with 9.1",
        "\
            -f|--force -n|--iterations=num --random-source=read -s|--size=num -u --remove?=data \
            -v|--verbose -x|--exact -z|--zero",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::DeletesOperand(0, true, &[], &["always"]),
            ],
        },
    ])
    ,
    named(
        "srm",
        "srm(1) secure-delete 3.1",
        "-d -f -l -m -P -r|-R -v -z",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::DeletesOperand(0, true, &["-r"], &["always"]),
            ],
        },
    ])
    ,
    named(
        "wipe",
        "wipe(1) 0.24",
        "\
            -a -c -D -e -F -f -h -i -k -l=num -M=data -o=num -Q=num -q -R=data -r -S=data -s -v -X=num \
            -x=data -Z",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-S"]),
            ],
            acts: &[
                Act::Value("-R", Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-S"], &["r", "p"]),
            ],
            acts: &[
                Act::Value("-R", Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-S"], &["c"]),
            ],
            acts: &[
                Act::Value("-R", Role::Shell),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::DeletesOperand(0, true, &["-r"], &["always"]),
            ],
        },
    ])
    ,
];
