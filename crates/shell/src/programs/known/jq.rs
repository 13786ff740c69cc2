// Generated from knowledge/programs/jq.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const JQ: &str = "\
    -n|--null-input -R|--raw-input -s|--slurp -c|--compact-output -r|--raw-output --raw-output0 \
    -j|--join-output -a|--ascii-output -S|--sort-keys -C|--color-output -M|--monochrome-output --tab \
    --indent=num --unbuffered --stream --stream-errors --seq -f|--from-file -L|--library-path=read \
    -e|--exit-status --arg --argjson --argfile --slurpfile --rawfile --args --jsonargs -b|--binary -h";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "jq",
        "jq(1) 1.6, newer options too",
        "",
        "",
    )
    .also(JQ)
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
        Rule {
            when: &[
                Condition::Operand(&["env.*", "*|env.*", "*(env.*", "*[env.*", "*{env.*", "*,env.*"]),
            ],
            acts: &[
                Act::Environment(true),
            ],
        },
    ])
    ,
    reads(
        "gojq jaq",
        "gojq, jaq 0.12, 1.2",
        "",
        "",
    )
    .also(JQ)
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
        Rule {
            when: &[
                Condition::Operand(&["env.*", "*|env.*", "*(env.*", "*[env.*", "*{env.*", "*,env.*"]),
            ],
            acts: &[
                Act::Environment(true),
            ],
        },
    ])
    .taken_over()
    ,
];
