// Generated from knowledge/programs/strip.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "strip objcopy ranlib",
        "objcopy(1) binutils 2.42",
        "\
            -o=write -s|--strip-all -g|--strip-debug -S -x -X -K=data -N=data -R=data -j=data -O=data \
            -I=data -B=data -F=data --strip-unneeded --only-keep-debug --add-gnu-debuglink=read \
            --add-section=data --dump-section=data --rename-section=data -v --preserve-dates -p -D -U",
        "inplace*",
    )
    .taken_over()
    ,
];
