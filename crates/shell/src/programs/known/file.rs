// Generated from knowledge/programs/file.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "file",
        "file(1) 5.45, compared with 5.44",
        "\
            -b|--brief -C|--compile -c|--checking-printout -d -E -e|--exclude=data --exclude-quiet=data \
            --extension -f|--files-from=list -F|--separator=data -h|--no-dereference -I -i|--mime \
            --mime-type --mime-encoding -k|--keep-going -L|--dereference -l|--list -m|--magic-file=read \
            -N|--no-pad -n|--no-buffer -p|--preserve-date -P|--parameter=data -r|--raw -s|--special-files \
            -S|--no-sandbox -v -z|--uncompress -Z|--uncompress-noreport -0|--print0 -a --apple",
        "read*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-C"]),
            ],
            acts: &[
                Act::WritesFile("{-m|magic}.mgc"),
            ],
        },
    ])
    ,
];
