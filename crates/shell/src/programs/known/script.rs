// Generated from knowledge/programs/script.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "script",
        "script(1) util-linux 2.39",
        "\
            -a|--append -c|--command=data -e|--return -f|--flush --force -I|--log-in=write \
            -O|--log-out=write -B|--log-io=write -T|--log-timing=write -E|--echo=data \
            -m|--logging-format=data -o|--output-limit=num -q|--quiet -t?=data -F -k -r",
        "",
    )
    .style(Style::Gnu)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::script),
            ],
        },
    ])
    .taken_over()
    ,
];
