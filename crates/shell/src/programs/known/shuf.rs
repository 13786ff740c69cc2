// Generated from knowledge/programs/shuf.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "shuf",
        "shuf(1) coreutils 9.4, compared with 9.1",
        "\
            -e|--echo -i|--input-range=data -n|--head-count=num -o|--output=write --random-source=read \
            -r|--repeat -z|--zero-terminated",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-e"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
    ])
    ,
];
