// Generated from knowledge/programs/setfacl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "setfacl",
        "setfacl(1) 2.3",
        "\
            -b|--remove-all -d|--default -k|--remove-default -m|--modify=data -M|--modify-file=read \
            -n|--no-mask -R|--recursive -x|--remove=data -X|--remove-file=read --set=data --set-file=read \
            --restore=read --test --mask -L|--logical -P|--physical",
        "meta*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::coreutils::setfacl),
            ],
        },
    ])
    .taken_over()
    ,
];
