// Generated from knowledge/programs/hexdump.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "hexdump hd",
        "hexdump(1) util-linux 2.38",
        "\
            -b|--one-byte-octal -c|--one-byte-char -C|--canonical -d|--two-bytes-decimal \
            -o|--two-bytes-octal -x|--two-bytes-hex -X|--one-byte-hex -e|--format=data \
            -f|--format-file=read -L|--color?=data -n|--length=num -s|--skip=num -v|--no-squeezing \
            -h|--help -V|--version",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
