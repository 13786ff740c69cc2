// Generated from knowledge/programs/rscript.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "Rscript R littler r",
        "Rscript(1) 4.3",
        "\
            -e=lang:r --vanilla --no-save --no-restore --no-environ --no-site-file --no-init-file --slave \
            --quiet -q -s|--silent --interactive --default-packages=data --verbose -f|--file=file:r --args \
            --version",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("r", &["-e", "-f", "--version"]),
            ],
        },
    ])
    .taken_over()
    ,
];
