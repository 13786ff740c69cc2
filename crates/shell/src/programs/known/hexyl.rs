// Generated from knowledge/programs/hexyl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "hexyl",
        "hexyl(1) 0.10, newer options too",
        "\
            -n|--length=num -l -c|--bytes=num -s|--skip=num --block-size=num -v|--no-squeezing \
            --color=data --color-mode=data --border=data -p|--plain -C|--characters --no-characters \
            --character-table=data -P|--no-position -o|--display-offset=num --panels=data \
            -g|--group-size=num --endianness=data -b|--base=data --terminal-width=num -h|--help \
            -V|--version",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
