// Generated from knowledge/programs/type.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "type",
        "bash(1), zshbuiltins(1) bash 5.2, zsh 5.9",
        "-a|--all -f -m -P -p -S -s -t -w",
        "data*",
    )
    .takes(StdinRole::Ignored)
    ,
    reads(
        "which",
        "which(1), zshbuiltins(1) GNU 2.21, debianutils 5.7, zsh 5.9",
        "\
            -a|--all -i|--read-alias -m -p --read-functions -S -s --show-dot --show-tilde --skip-alias \
            --skip-dot --skip-functions --skip-tilde --tty-only -V|-v -w -x=num",
        "data*",
    )
    .takes(StdinRole::Ignored)
    ,
    reads(
        "whereis",
        "whereis(1) util-linux 2.38",
        "-B=look -b -f -l -M=look -m -S=look -s -u",
        "data*",
    )
    .takes(StdinRole::Ignored)
    ,
    reads(
        "whence where",
        "zshbuiltins(1) zsh 5.9",
        "-a -c -f -m -p -S -s -v -w -x=num",
        "data*",
    )
    .takes(StdinRole::Ignored)
    ,
];
