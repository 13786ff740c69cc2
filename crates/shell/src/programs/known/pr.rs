// Generated from knowledge/programs/pr.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "pr",
        "pr(1) coreutils 9.4, compared with 9.1",
        "\
            -# -a|--across -c|--show-control-chars --columns=num -D|--date-format=data -d|--double-space \
            -e|--expand-tabs?=data -F -f|--form-feed -h|--header=data -i|--output-tabs?=data \
            -J|--join-lines -l|--length=num -m|--merge -N|--first-line-number=num -n|--number-lines?=data \
            -o|--indent=num --pages=data -r|--no-file-warnings -S|--sep-string?=data -s|--separator?=data \
            -t|--omit-header -T|--omit-pagination -v|--show-nonprinting -W|--page-width=num -w|--width=num",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
