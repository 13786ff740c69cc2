// Generated from knowledge/programs/insmod.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            insmod rmmod modprobe depmod kmod dkms sysctl kexec sysrc setenforce semodule setsebool \
            semanage restorecon aa-disable aa-complain aa-enforce aa-teardown apparmor_parser auditctl \
            augenrules update-alternatives alternatives update-initramfs mkinitcpio dracut grub-install \
            grub-mkconfig update-grub grub2-mkconfig bootctl efibootmgr bpftool bpftrace perf nvram \
            csrutil spctl kldload kldunload modinfo-set ldconfig update-ca-certificates update-ca-trust \
            trust bcdedit-linux ulogd chkconfig update-rc.d rc-update rcctl",
        "sysctl(8) procps 4.0",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::system::kernel),
            ],
        },
    ])
    .taken_over()
    ,
];
