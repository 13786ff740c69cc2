// Generated from knowledge/programs/tsort.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "tsort gtsort",
        "tsort(1) coreutils 9.4, compared with 9.1",
        "",
        "read",
    )
    .prints(Output::Filtered)
    ,
    reads(
        "ptx gptx",
        "ptx(1) coreutils 9.4, compared with 9.1",
        "\
            -A|--auto-reference -b|--break-file=read -F|--flag-truncation=data -f|--ignore-case \
            -G|--traditional -g|--gap-size=num -i|--ignore-file=read -M|--macro-name=data -O --format=data \
            -o|--only-file=read -R|--right-side-refs -r|--references -S|--sentence-regexp=pat -T \
            -t|--typeset-mode -W|--word-regexp=pat -w|--width=num",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-G"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::Operand(1, false, Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-G"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
    ])
    ,
];
