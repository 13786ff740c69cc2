// Generated from knowledge/programs/read.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "read readarray mapfile",
        "bash(1) 5.2",
        "\
            -r -s -e -a=data -d=data -i=data -n=num -N=num -p=data -t=num -u=num -O=num -C=sh -c=num -k -q \
            -A -z",
        "data*",
    )
    .prints(Output::Nothing)
    .taken_over()
    ,
];
