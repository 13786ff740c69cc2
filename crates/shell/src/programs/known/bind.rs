// Generated from knowledge/programs/bind.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "bind",
        "bash(1) 5.2",
        "-l -p -P -s -S -v -V -X -m=data -f=read -q=data -u=data -r=data -x=data",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::PickedBare(Pick { at: &["-x"], fits: &[], except: &[], after: &[":"] },
                    Role::Shell, [" \"", " \""]),
            ],
        },
    ])
    ,
];
