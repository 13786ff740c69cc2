// Generated from knowledge/programs/csvcut.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            csvcut csvgrep csvstat csvlook csvsort csvjoin csvstack csvjson in2csv csvsql-look xsv qsv mlr \
            miller xan datamash tv visidata",
        "csvkit 1.3, mlr(1) 6",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::text::look_at_operands),
            ],
        },
    ])
    .taken_over()
    ,
];
