// Generated from knowledge/programs/readlink.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "readlink greadlink",
        "readlink(1) coreutils 9.4, compared with 9.1",
        "\
            -e|--canonicalize-existing -f|--canonicalize -m|--canonicalize-missing -n|--no-newline \
            -q|--quiet -s|--silent -v|--verbose -z|--zero",
        "look*",
    )
    ,
];
