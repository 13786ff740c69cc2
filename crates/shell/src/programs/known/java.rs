// Generated from knowledge/programs/java.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "java javaw",
        "java(1) 17",
        "\
            -cp|-classpath|--class-path=file -p|--module-path=file -jar=file -m|--module=data \
            -version|--version -showversion -help -X -ea -esa -da -server -client --add-modules=data \
            --add-opens=data --add-exports=data --enable-preview -agentlib=file -agentpath=file \
            -javaagent=file --source=data -d32 -d64 --list-modules --dry-run",
        "",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::interpreters::java),
            ],
        },
    ])
    .taken_over()
    ,
];
