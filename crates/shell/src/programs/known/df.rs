// Generated from knowledge/programs/df.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "df gdf",
        "df(1) coreutils 9.4, compared with 9.1",
        "\
            -a|--all -B|--block-size=num -g -h|--human-readable -H|--si -i|--inodes -k -l|--local -m \
            --no-sync --output?=data -P|--portability --sync -T|--print-type -t|--type=data --total -v \
            -x|--exclude-type=data",
        "look*",
    )
    ,
];
