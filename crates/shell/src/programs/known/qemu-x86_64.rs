// Generated from knowledge/programs/qemu-x86_64.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "qemu-x86_64 qemu-aarch64 qemu-arm box64",
        "qemu-user(1) 8.2",
        "\
            -g=num -L=choose -s=num -cpu=data -E=env -U=data -0=data -r=data -B=data -R=data -d=data \
            -D=write -one-insn-per-tb -strace",
        "",
    )
    .style(Style::Word)
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
