// Generated from knowledge/programs/pwd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "pwd whoami logname tty arch nproc hostid users uptime",
        "coreutils 9.4",
        "\
            -L|--logical -P|--physical -s|--silent|--quiet --all --ignore=num -p|--pretty --since",
        "data*",
    )
    .takes(StdinRole::Ignored)
    .taken_over()
    ,
];
