// Generated from knowledge/programs/fold.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "fold fmt",
        "fold(1) coreutils 9.4, compared with 9.1",
        "\
            -# -b|--bytes -c|--crown-margin -g|--goal=num -p|--prefix=data -s|--spaces|--split-only \
            -t|--tagged-paragraph -u|--uniform-spacing -w|--width=num",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
