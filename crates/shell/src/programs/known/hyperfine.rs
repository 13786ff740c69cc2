// Generated from knowledge/programs/hyperfine.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "hyperfine",
        "hyperfine(1) 1.18",
        "\
            -w|--warmup=num -m|--min-runs=num -M|--max-runs=num -r|--runs=num -s|--setup=sh \
            -p|--prepare=sh -c|--cleanup=sh --conclude=sh -P|--parameter-scan=data \
            -L|--parameter-list=data -S|--shell=prog -N -i|--ignore-failure --style=data --sort=data \
            -u|--time-unit=data --export-json=write --export-csv=write --export-markdown=write \
            --export-asciidoc=write --show-output --output=data --input=read -n|--command-name=data",
        "",
    )
    .style(Style::Gnu)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::Shell),
                Act::Transparent,
            ],
        },
    ])
    .taken_over()
    ,
];
