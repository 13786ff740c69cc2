// Generated from knowledge/programs/id.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "id groups",
        "id(1) coreutils 9.1",
        "\
            -a -Z|--context -g|--group -G|--groups -n|--name -r|--real -u|--user -z|--zero -p -P -A",
        "data*",
    )
    .takes(StdinRole::Ignored)
    ,
];
