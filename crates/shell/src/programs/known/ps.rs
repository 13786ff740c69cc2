// Generated from knowledge/programs/ps.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            ps pgrep pidof pstree top htop btop atop vmstat iostat mpstat sar free uptime-read pmap pwdx \
            lsmod lspci lsusb lscpu lsblk lshw lsns lsipc lslocks lsmem lslogins lsfd ipcs blkid findmnt \
            dmesg-read dmidecode hwinfo inxi neofetch fastfetch screenfetch sensors acpi nvidia-smi \
            rocm-smi glances duf ncdu dust procs pidstat numastat slabtop getcap biosdecode vainfo glxinfo \
            xdpyinfo xrandr-read system_profiler sw_vers vm_stat launchctl-list tload cpuid turbostat \
            powertop-read hdparm-read smartctl runlevel faillog-read namei mountpoint ulimit-read tokens \
            jps jstack jmap jstat jinfo",
        "ps(1) procps 4.0",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::processes::listing),
            ],
        },
    ])
    .taken_over()
    ,
];
