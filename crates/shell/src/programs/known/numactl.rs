// Generated from knowledge/programs/numactl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "numactl",
        "numactl(8) 2.0",
        "\
            -i|--interleave=data -p|--preferred=data -N|--cpunodebind=data -m|--membind=data \
            -C|--physcpubind=data -l|--localalloc -H|--hardware -s|--show -a|--all -b|--balancing",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    .taken_over()
    ,
];
