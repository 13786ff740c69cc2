// Generated from knowledge/programs/chroot.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "chroot",
        "chroot(1) coreutils 9.4",
        "--groups=data --userspec=data --skip-chdir -u=data -g=data -G=data -n",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::chroot),
            ],
        },
    ])
    .taken_over()
    ,
];
