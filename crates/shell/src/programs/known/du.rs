// Generated from knowledge/programs/du.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "du gdu",
        "du(1) coreutils 9.4, compared with 9.1",
        "\
            -0|--null -a|--all --apparent-size -B|--block-size=num -b|--bytes -c|--total \
            -D|--dereference-args -d|--max-depth=num --exclude=pat --files0-from=list -g -H \
            -h|--human-readable -I=pat --inodes -k -l|--count-links -L|--dereference -m \
            -P|--no-dereference -S|--separate-dirs -s|--summarize --si -t|--threshold=num --time?=data \
            --time-style=data -X|--exclude-from=read -x|--one-file-system",
        "look*",
    )
    ,
];
