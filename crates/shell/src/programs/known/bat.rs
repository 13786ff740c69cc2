// Generated from knowledge/programs/bat.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "bat batcat glow mdcat pygmentize highlight source-highlight nroff ccat",
        "bat(1) 0.24",
        "\
            -A|--show-all -p|--plain -l|--language=data -H|--highlight-line=data --file-name=data \
            -d|--diff --diff-context=num --tabs=num --wrap=data --terminal-width=num -n|--number \
            --color=data --italic-text=data --decorations=data -f|--force-colorization --paging=data \
            --pager=prog -P --no-paging -m|--map-syntax=data --ignored-suffix=data --theme=data \
            --list-themes -s --style=data -r|--line-range=data -L|--list-languages -u --diagnostic \
            -o=write -O=data -g -t",
        "read*",
    )
    .prints(Output::Filtered)
    .taken_over()
    ,
];
