// Generated from knowledge/programs/dircolors.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "dircolors",
        "dircolors(1) coreutils 9.4, compared with 9.1",
        "-b|--sh|--bourne-shell -c|--csh|--c-shell -p|--print-database --print-ls-colors",
        "read*",
    )
    ,
];
