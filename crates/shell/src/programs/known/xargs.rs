// Generated from knowledge/programs/xargs.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "xargs gxargs",
        "xargs(1) findutils 4.9",
        "\
            -0|--null -a|--arg-file=data -d|--delimiter=data -E=data -e?=data --eof?=data -I=data -i?=data \
            --replace?=data -L=num -l?=num --max-lines?=num -n|--max-args=num -o|--open-tty \
            -P|--max-procs=num -p|--interactive --process-slot-var=data -r|--no-run-if-empty \
            -s|--max-chars=num --show-limits -t|--verbose -x|--exit -J=data -R=num -S=num",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::xargs),
            ],
        },
    ])
    ,
];
