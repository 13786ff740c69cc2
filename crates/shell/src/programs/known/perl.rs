// Generated from knowledge/programs/perl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "perl",
        "perlrun(1) 5.36",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["-F*)*;*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "code stands in the pattern that splits lines"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-I/*", "-I~*", "-I..*", "-Mlib=/*", "-Mlib=..*"]),
                Condition::Word(&["-e", "-E", "-ne", "-nE", "-pe", "-le", "-lne", "-nle", "-lpe", "-ple",
                        "-ane", "-nae", "-lane", "-nlae", "-V", "-v"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "loads modules of a folder that is named"),
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["-I/*", "-I~*", "-I..*", "-Mlib=/*", "-Mlib=..*"]),
                Condition::Operand(&["-I*", "-Mlib=*"]),
                Condition::Word(&["-e", "-E", "-ne", "-nE", "-pe", "-le", "-lne", "-nle", "-lpe", "-ple",
                        "-ane", "-nae", "-lane", "-nlae", "-V", "-v"]),
            ],
            acts: &[
                Act::RunsProject("lib", ""),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::interpreters::perl),
            ],
        },
    ])
    ,
];
