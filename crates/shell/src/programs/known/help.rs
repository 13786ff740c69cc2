// Generated from knowledge/programs/help.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "help",
        "bash(1) 5.2",
        "-d -m -s",
        "data*",
    )
    ,
    reads(
        "apropos whatis",
        "apropos(1), whatis(1) man-db 2.11",
        "\
            -a|--and -C|--config-file=config -d|--debug -e|--exact -f -k -l|--long -L|--locale=data \
            -m|--systems=data -M|--manpath=look -r|--regex -s|--section|--sections=data --usage \
            -v|--verbose -V|--version -w|--wildcard",
        "data*",
    )
    ,
];
