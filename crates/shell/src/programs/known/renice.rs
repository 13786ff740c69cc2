// Generated from knowledge/programs/renice.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "renice",
        "renice(1) util-linux 2.39, compared with 2.38",
        "-g|--pgrp -n|--priority=num -p|--pid -u|--user -V|--version",
        "data*",
    )
    ,
];
