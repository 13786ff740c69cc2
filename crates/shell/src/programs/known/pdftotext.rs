// Generated from knowledge/programs/pdftotext.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "pdftotext",
        "pdftotext(1) poppler 24.02, compared with 22.12",
        "\
            -f=num -l=num -r=num -x=num -y=num -W=num -H=num -layout -fixed=num -raw -nodiag -htmlmeta \
            -bbox -bbox-layout -tsv -cropbox -colspacing=num -enc=data -listenc -eol=data -nopgbrk \
            -opw=data -upw=data -q -v -h|-help",
        "read write",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
];
