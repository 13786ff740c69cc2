// Generated from knowledge/programs/cat.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "cat gcat",
        "cat(1) coreutils 9.4, compared with 9.1",
        "\
            -A|--show-all -b|--number-nonblank -e -E|--show-ends -l -n|--number -s|--squeeze-blank -t \
            -T|--show-tabs -u -v|--show-nonprinting",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
