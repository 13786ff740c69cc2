// Generated from knowledge/programs/complete.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "complete",
        "bash(1) 5.2",
        "\
            -a -b -c -d -e -f -g -j -k -p -r -s -u -v -o=data -D -E -I -A=data -C=sh -F=data -G=pat \
            -P=data -S=data -W=expand -X=pat",
        "data*",
    )
    ,
];
