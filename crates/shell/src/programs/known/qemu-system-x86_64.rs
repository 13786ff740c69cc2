// Generated from knowledge/programs/qemu-system-x86_64.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "qemu-system-x86_64 qemu-x86_64 qemu-aarch64 qemu-arm box64",
        "qemu-user(1) 8.2",
        "\
            -g=num -L=data -s=num -cpu=data -E=data -U=data -0=data -r=data -B=data -R=data -d=data \
            -D=write -one-insn-per-tb -strace -hda=read -m=num -smp=num -nographic -kernel=read \
            -append=data -drive=data -cdrom=read -boot=data -enable-kvm -net=data -netdev=data \
            -device=data -monitor=data -serial=data -display=data",
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
