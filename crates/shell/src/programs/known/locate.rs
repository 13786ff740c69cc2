// Generated from knowledge/programs/locate.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "locate plocate mlocate slocate mdfind",
        "locate(1) mlocate 0.26",
        "\
            -0|--null -A|--all -b|--basename -c|--count -d|--database=read -e|--existing -i|--ignore-case \
            -l|-n|--limit=num -N -p -P|--nofollow -q|--quiet -r|--regexp=pat --regex -S|--statistics \
            -w|--wholename -onlyin=data -name=data",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Lists(Names::Containing),
            ],
        },
    ])
    .taken_over()
    ,
];
