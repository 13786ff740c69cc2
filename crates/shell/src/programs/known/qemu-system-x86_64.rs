// Generated from knowledge/programs/qemu-system-x86_64.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "qemu-system-x86_64 qemu-system-aarch64 qemu-system-arm qemu-system-i386",
        "qemu(1) 8.2",
        "\
            -h -help -version -hda=inplace -hdb=inplace -hdc=inplace -hdd=inplace -cdrom=read -kernel=read \
            -initrd=read -append=data -m=num -smp=data -boot=data -display=data -nographic -snapshot \
            -enable-kvm -plugin=file",
        "inplace",
    )
    .style(Style::Word)
    .taken_over()
    ,
];
