// Generated from knowledge/programs/ruby.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ruby",
        "ruby(1) 3.1",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["-I/*", "-I~*", "-I..*"]),
                Condition::Word(&["-e", "-ne", "-pe", "-lne", "-nle", "-ane", "-lane"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "loads libraries of a folder that is named"),
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["-I/*", "-I~*", "-I..*"]),
                Condition::Operand(&["-I*"]),
                Condition::Word(&["-e", "-ne", "-pe", "-lne", "-nle", "-ane", "-lane"]),
            ],
            acts: &[
                Act::RunsProject("lib", ""),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::interpreters::ruby),
            ],
        },
    ])
    ,
    works(
        "jruby irb mruby",
        "irb(1) 3.1",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::interpreters::ruby),
            ],
        },
    ])
    .taken_over()
    ,
];
