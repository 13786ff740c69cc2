// Generated from knowledge/programs/cal.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "cal ncal",
        "ncal(1) 12.1",
        "\
            -# -1 -3 -V|--version -W=num -A=num -B=num -n|--months=num -s|--sunday -m=data --monday \
            -S|--span -j|--julian -y|--year -Y|--twelve -w --week?=num -h -b -C -N -M -o -p --color?=data \
            --reform=data --iso -d=data -H=data -e -J",
        "data*",
    )
    ,
    reads(
        "gcal",
        "gcal(1) 4.1",
        "",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["@*"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    .taken_over()
    ,
];
