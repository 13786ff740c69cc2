// Generated from knowledge/programs/cowsay.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "cowsay cowthink",
        "cowsay(6) 3.03",
        "\
            -b -d -g -p -r -s -t -w -y -n -l -C -e=data -E=data -T=data -W=num -f=data --random --bold \
            --rainbow --super --aurora",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["-f"], fits: &["*/*", "*.*"], except: &[], after: &[] },
                    Role::File("perl")),
            ],
        },
    ])
    ,
];
