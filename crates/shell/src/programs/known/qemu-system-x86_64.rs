// Generated from knowledge/programs/qemu-system-x86_64.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "qemu-system-x86_64 qemu-system-aarch64 qemu-system-arm qemu-system-i386",
        "qemu(1) 8.2, compared with 7.2",
        "\
            -accel=data -append=data -async-teardown -bios=read -boot=data -cdrom=read -cpu=data -D=write \
            -d=data -daemonize -dfilter=data -display=data -dtb=read -dump-vmstate=write -enable-kvm \
            -fda=inplace -fdb=inplace -full-screen -h -hda=inplace -hdb=inplace -hdc=inplace -hdd=inplace \
            -help -initrd=read -k=data -kernel=read -L=choose -loadvm=data -m=num -mem-path=write \
            -mem-prealloc -mtdblock=inplace -name=data -no-acpi -no-hpet -no-reboot -no-shutdown \
            -no-user-config -nodefaults -nographic -only-migratable -pflash=inplace -pidfile=write \
            -plugin=file -readconfig=config -rtc=data -S -s -sd=inplace -seed=data -smp=data -snapshot \
            -usb -uuid=data -version -vga=data -vnc=data -watchdog-action=data -writeconfig=write",
        "inplace",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-h", "-help", "-version"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-s"]),
            ],
            acts: &[
                Act::Listens("*", "tcp", &[]),
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-vnc"]),
            ],
            acts: &[
                Act::Listens("*", "vnc", &[]),
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-display"], &["vnc=*"]),
            ],
            acts: &[
                Act::Listens("*", "vnc", &[]),
                Act::BeyondPlain,
            ],
        },
    ])
    .taken_over()
    ,
];
