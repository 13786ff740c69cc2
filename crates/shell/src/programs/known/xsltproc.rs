// Generated from knowledge/programs/xsltproc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "xsltproc",
        "xsltproc(1) libxslt 1.1.35",
        "\
            -V|--version -v|--verbose -o|--output=write --catalogs --debug --dumpextensions --timing \
            --repeat --novalid --nodtdattr --noout --maxdepth=num --maxvars=num --maxparserdepth=num \
            --seed-rand=num --huge --html --encoding=data --path=choose --nonet --nowrite --nomkdir \
            --writesubtree=dir --xinclude --xincludestyle --profile|--norman --load-trace \
            --stringparam=data,data --param=data,data",
        "file read*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--param"]),
            ],
            acts: &[
                Act::Unknown,
            ],
        },
    ])
    ,
];
