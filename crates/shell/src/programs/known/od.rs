// Generated from knowledge/programs/od.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "od",
        "od(1) coreutils 9.4, compared with 9.1",
        "\
            -a -A|--address-radix=data -b -c -D -d --endian=data -f -h -i -j|--skip-bytes=num -l \
            -N|--read-bytes=num -O -o -s -S=num --strings?=num -t|--format=data --traditional \
            -v|--output-duplicates -w|--width?=num -X -x",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
