// Generated from knowledge/programs/rlwrap.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "rlwrap ledit",
        "rlwrap(1) 0.46",
        "\
            -a?=data -A?=data -b=data -c -C=data -D=num -e=data -f=read -F=data -g=data -h -H=write -i -I \
            -l=write -n -N -o -O=data -p?=data -P=data -q=data -r -R -s=num -S=data -t=data -w=num -z=sh",
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
