// Generated from knowledge/programs/jq.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "jq gojq jaq",
        "jq(1) 1.7",
        "\
            -n|--null-input -R|--raw-input -s|--slurp -c|--compact-output -r|--raw-output --raw-output0 \
            -j|--join-output -a|--ascii-output -S|--sort-keys -C|--color-output -M|--monochrome-output \
            --tab --indent=num --unbuffered --stream --stream-errors --seq -f|--from-file \
            -L|--library-path=read -e|--exit-status --arg --argjson --slurpfile --rawfile --args \
            --jsonargs -b|--binary -h",
        "",
    )
    .style(Style::Raw)
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::text::jq),
            ],
        },
    ])
    .taken_over()
    ,
];
