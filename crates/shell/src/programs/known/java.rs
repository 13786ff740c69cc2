// Generated from knowledge/programs/java.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "java javaw",
        "java(1) 17",
        "\
            -cp|-classpath|--class-path=data -p|--module-path=data -jar=data -m|--module=data \
            -version|--version -showversion -help -X?=data -D?=data -verbose?=data \
            -ea|-enableassertions?=data -esa -da|-disableassertions?=data -dsa -server -client \
            --add-modules=data --add-opens=data --add-exports=data --enable-preview --add-reads=data \
            -agentlib=data -agentpath=data -javaagent=data --source=data -d32 -d64 --list-modules \
            --dry-run",
        "",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsProject("{-javaagent}", ""),
                Act::RunsProject("{-agentpath}", ""),
                Act::RunsProject("{-agentlib}", ""),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-version", "--list-modules", "-help"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsProject("{-cp}", ""),
                Act::RunsProject("{-p}", ""),
                Act::RunsProject("{-jar}", ""),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-jar"]),
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::RunsProject("{first}", ""),
            ],
        },
    ])
    .taken_over()
    ,
];
