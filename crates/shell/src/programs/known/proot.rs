// Generated from knowledge/programs/proot.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "proot",
        "proot(1) 5.4",
        "\
            -r|--rootfs=data -b|--bind|-m|--mount=data -q|--qemu=data -w|--pwd|--cwd=data -0|--root-id \
            -i|--change-id=data -k|--kernel-release=data -p -n -l|--link2symlink -v|--verbose=num \
            -V|--version -h|--help -R=data -S=data --kill-on-exit",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    .taken_over()
    ,
];
