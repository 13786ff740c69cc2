// Generated from knowledge/programs/java.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "java javaw",
        "java(1) 17",
        "\
            -cp|-classpath|--class-path=data -p|--module-path=data --upgrade-module-path=file -jar=data \
            -m|--module=data -version|--version -showversion|--show-version --show-module-resolution \
            -help|-h|--help --help-extra -X?=data -D?=data -verbose?=data -ea|-enableassertions?=data \
            -esa|-enablesystemassertions -da|-disableassertions?=data -dsa|-disablesystemassertions \
            -server -client --add-modules=data --add-opens=data --add-exports=data --limit-modules=data \
            --patch-module=file --illegal-access=data --enable-preview --add-reads=data --disable-@files \
            -agentlib=data -agentpath=data -javaagent=data --source=data -d|--describe-module=data -d32 \
            -d64 --list-modules --validate-modules --dry-run",
        "",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Contains(&["-XX:Flags=", "-XX:VMOptionsFile="]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "takes more options from a file"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["-Xbootclasspath", "-XX:SharedArchiveFile=", "--patch-module"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "loads code in the place of the machine's own"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["-Xloggc:", "-Xlog:", "-XX:LogFile=", "-XX:HeapDumpPath=",
                        "-XX:ErrorFile=", "-XX:StartFlightRecording"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
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
                Condition::Has(&["-version", "--list-modules", "-help", "--help-extra"]),
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
    ,
];
