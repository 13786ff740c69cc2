// Generated from knowledge/programs/ts-node.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ts-node tsx esno ts-node-dev babel-node coffee swc-node",
        "ts-node 10.9",
        "\
            -e|--eval=lang:javascript -p|--print -r|--require=file:javascript -T|--transpile-only \
            -P|--project=read -O|--compiler-options=data --files --esm --swc --cwd=data --respawn --watch \
            --no-cache --tsconfig=read",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("javascript", &["-e"]),
            ],
        },
    ])
    .taken_over()
    ,
];
