// Generated from knowledge/programs/numactl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "numactl",
        "numactl(8) 2.0.16",
        "\
            -i|--interleave=data -p|--preferred=data --preferred-many=data -N|--cpunodebind|--cpubind=data \
            -m|--membind=data -C|--physcpubind=data -l|--localalloc -H|--hardware -s|--show -a|--all \
            -b|--balancing --huge --offset=num --strict --shmmode=data --length=num --shmid=data \
            --shm=inplace --file=inplace --touch --dump --dump-nodes -V|--version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-H", "-s"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Works,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
];
