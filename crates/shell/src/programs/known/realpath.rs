// Generated from knowledge/programs/realpath.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "realpath grealpath",
        "realpath(1) coreutils 9.4, compared with 9.1",
        "\
            -E -e|--canonicalize-existing -L|--logical -m|--canonicalize-missing -P|--physical -q|--quiet \
            --relative-base=look --relative-to=look -s|--strip|--no-symlinks -z|--zero",
        "look*",
    )
    ,
];
