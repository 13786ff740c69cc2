// Generated from knowledge/programs/ps.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            ps pgrep pidof pstree top htop btop atop vmstat iostat mpstat sar free uptime-read pmap pwdx \
            lsmod lspci lsusb lscpu lsblk lshw lsns lsipc lslocks lsmem lslogins lsfd ipcs blkid findmnt \
            dmesg-read dmidecode hwinfo inxi neofetch fastfetch screenfetch sensors acpi nvidia-smi \
            rocm-smi glances duf ncdu dust procs numastat slabtop getcap biosdecode vainfo glxinfo \
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
                Condition::First(&["*e*"]),
                Condition::FirstNot(&["-*"]),
                Condition::Program(&["ps"]),
            ],
            acts: &[
                Act::Environment(true),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["-E"]),
                Condition::Program(&["ps"]),
            ],
            acts: &[
                Act::Environment(true),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-r", "--gpu-reset", "-pm", "-pl", "-ac", "-c", "-e"]),
                Condition::Program(&["nvidia-smi"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Kernel, "changes a device"),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "pidstat",
        "pidstat(1) sysstat 12.7",
        "\
            -d -e -G=data -h -H -I -l -p=data -r -R -s -t -T=data -u -U?=data -v -V -w --human --dec=num",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-e"]),
            ],
            acts: &[
                Act::Runs(0),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-e"]),
                Condition::Operand(&["-e"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "which program it runs can't be told"),
            ],
        },
        Rule {
            when: &[
                Condition::At(Pick { at: &["0.."], fits: &[], except: &["#"], after: &[] }),
                Condition::Lacks(&["-e"]),
            ],
            acts: &[
                Act::Unknown,
            ],
        },
    ])
    .taken_over()
    ,
];
