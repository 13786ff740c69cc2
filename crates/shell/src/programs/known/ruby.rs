// Generated from knowledge/programs/ruby.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ruby jruby irb mruby",
        "ruby(1) 3.1",
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
