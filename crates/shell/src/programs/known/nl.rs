// Generated from knowledge/programs/nl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "nl",
        "nl(1) coreutils 9.4, compared with 9.1",
        "\
            -b|--body-numbering=data -d|--section-delimiter=data -f|--footer-numbering=data \
            -h|--header-numbering=data -i|--line-increment=num -l|--join-blank-lines=num \
            -n|--number-format=data -p|--no-renumber -s|--number-separator=data \
            -v|--starting-line-number=num -w|--number-width=num",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
