// Generated from knowledge/programs/hyperfine.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "hyperfine",
        "hyperfine(1) 1.15",
        "\
            -w|--warmup=num -m|--min-runs=num -M|--max-runs=num -r|--runs=num -s|--setup=sh \
            -p|--prepare=sh -c|--cleanup=sh --reference=sh --conclude=sh -P|--parameter-scan=data \
            -D|--parameter-step-size=num -L|--parameter-list=data -S|--shell=prog -N -i|--ignore-failure \
            --style=data --sort=data -u|--time-unit=data --export-json=write --export-csv=write \
            --export-markdown=write --export-asciidoc=write --export-orgmode=write --show-output \
            --output=data --input=read -n|--command-name=data -h|--help -V|--version",
        "",
    )
    .style(Style::Gnu)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["--output"], &["*/*", "*.*"]),
            ],
            acts: &[
                Act::Value("--output", Role::Write),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::Shell),
                Act::Transparent,
            ],
        },
    ])
    ,
];
