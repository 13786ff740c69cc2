// Generated from knowledge/programs/zipgrep.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "zipgrep",
        "zipgrep(1) Info-ZIP 6.0",
        "-# -c -e=pat -f=read -h -i -l -n -v -w -x",
        "pat!-e,-f read data*",
    )
    ,
];
