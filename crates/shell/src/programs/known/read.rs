// Generated from knowledge/programs/read.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "read",
        "bash(1) 5.2",
        "\
            -r -s -e -a=data -d=data -i=data -n=num -N=num -p=data -t=num -u=num -A -c -k -l -q -z",
        "data*",
    )
    .prints(Output::Nothing)
    ,
    reads(
        "readarray mapfile",
        "bash(1) 5.2",
        "-C=sh -c=num -d=data -n=num -O=num -s=num -t -u=num",
        "data*",
    )
    .prints(Output::Nothing)
    ,
];
