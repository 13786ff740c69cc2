// Generated from knowledge/programs/paste.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "paste",
        "paste(1) coreutils 9.4, compared with 9.1",
        "-d|--delimiters=data -s|--serial -z|--zero-terminated",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
