// Generated from knowledge/programs/virsh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            virsh virt-manager vboxmanage VBoxManage qemu-img multipass limactl lima lxc lxd incus vmrun \
            prlctl utmctl",
        "virsh(1) 10",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::system::machines),
            ],
        },
    ])
    .taken_over()
    ,
];
