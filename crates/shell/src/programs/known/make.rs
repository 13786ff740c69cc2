// Generated from knowledge/programs/make.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "make gmake bmake mingw32-make colormake remake",
        "make(1) GNU make 4.4",
        "\
            -b -m -B|--always-make -C|--directory=data -d --debug?=data -e|--environment-overrides \
            -E|--eval=data -f|--file|--makefile=data -h|--help -i|--ignore-errors -I|--include-dir=choose \
            -j?=num --jobs?=num --jobserver-style=data -k|--keep-going -l?=num --load-average?=num \
            -L|--check-symlink-times -n|--just-print|--dry-run|--recon -o|--old-file|--assume-old=data \
            -O?=data --output-sync?=data -p|--print-data-base -q|--question -r|--no-builtin-rules \
            -R|--no-builtin-variables -s|--silent|--quiet --no-silent -S|--no-keep-going|--stop \
            --shuffle?=data -t|--touch --trace -v|--version -w|--print-directory --no-print-directory \
            -W|--what-if|--new-file|--assume-new=data --warn-undefined-variables",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::build::make),
            ],
        },
    ])
    .taken_over()
    ,
];
