// Generated from knowledge/programs/uname.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "uname",
        "uname(1) coreutils 9.4, compared with 9.1",
        "\
            -a|--all -i|--hardware-platform -m|--machine -n|--nodename -o|--operating-system \
            -p|--processor -r|--kernel-release -s|--kernel-name -v|--kernel-version",
        "data*",
    )
    ,
];
