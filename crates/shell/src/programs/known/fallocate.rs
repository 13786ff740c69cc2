// Generated from knowledge/programs/fallocate.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "fallocate",
        "fallocate(1) util-linux 2.39, compared with 2.38",
        "\
            -c|--collapse-range -d|--dig-holes -i|--insert-range -l|--length=num -n|--keep-size \
            -o|--offset=num -p|--punch-hole -z|--zero-range -x|--posix -v|--verbose",
        "inplace*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p", "-z", "-c"]),
            ],
            acts: &[
                Act::Empties,
            ],
        },
    ])
    ,
];
