// Generated from knowledge/programs/tsort.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "tsort ptx",
        "ptx(1) coreutils 9.4",
        "\
            -A -b=read -f -F=data -g=num -i=read -M=data -O -o=read -r -R -S=data -T -w=num -W=data",
        "read*",
    )
    .prints(Output::Filtered)
    .taken_over()
    ,
];
