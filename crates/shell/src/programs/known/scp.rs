// Generated from knowledge/programs/scp.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "scp",
        "scp(1) OpenSSH 9.6, compared with 9.2",
        "\
            -3 -4 -6 -A -B -C -c=data -D=prog -F=config -i=read -J=host -l=num -O -o=ssh-setting -P=num -p \
            -q -R -r -S=prog -T -v -X=data",
        "",
    )
    .takes(StdinRole::Ignored)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::ssh::scp),
            ],
        },
    ])
    ,
];
