// Generated from knowledge/programs/sort.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "sort gsort",
        "sort(1) coreutils 9.4, compared with 9.1",
        "\
            -b|--ignore-leading-blanks -d|--dictionary-order -f|--ignore-case -g|--general-numeric-sort \
            -i|--ignore-nonprinting -M|--month-sort -h|--human-numeric-sort -n|--numeric-sort \
            -R|--random-sort --random-source=read -r|--reverse --sort=data -V|--version-sort \
            --batch-size=num -c --check?=data -C --compress-program=prog --debug --files0-from=list \
            -k|--key=data -m|--merge -o|--output=write -s|--stable -S|--buffer-size=num \
            -t|--field-separator=data -T|--temporary-directory=dir --parallel=num -u|--unique \
            -z|--zero-terminated -#",
        "read*",
    )
    .prints(Output::Filtered)
    ,
];
