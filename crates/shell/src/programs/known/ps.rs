// Generated from knowledge/programs/ps.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            ps pgrep pidof pstree top htop btop vmstat iostat mpstat sar free uptime-read pmap pwdx lsmod \
            lspci lsusb lscpu lsblk lsns lsipc lslocks lsmem lslogins lsfd ipcs blkid findmnt dmesg-read \
            dmidecode hwinfo inxi neofetch fastfetch screenfetch sensors acpi nvidia-smi rocm-smi duf ncdu \
            dust procs numastat slabtop getcap biosdecode vainfo glxinfo xdpyinfo xrandr-read \
            system_profiler sw_vers vm_stat launchctl-list tload cpuid powertop-read hdparm-read smartctl \
            runlevel faillog-read namei mountpoint ulimit-read tokens jps jstack jmap jstat jinfo",
        "ps(1) procps 4.0",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["-cgi", "-cci", "-dgi", "-dci", "daemon", "drain"]),
                Condition::Program(&["nvidia-smi"]),
            ],
            acts: &[
                Act::Acts,
                Act::Privilege(PrivilegeKind::Kernel, "changes how a graphics card is shared"),
            ],
        },
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
    wraps(
        "turbostat",
        "turbostat(8) linux 6.1",
        "\
            -a=data -add=data -c=data -cpu=data -D|-Dump -d|-debug -e=data -enable=data -h|-help -H=data \
            -hide=data -i=num -interval=num -J|-Joules -l|-list -n=num -num_iterations=num -N=num \
            -header_iterations=num -o=write -out=write -q|-quiet -s=data -show=data -S|-Summary -T=num \
            -TCC=num -v|-version",
        "",
    )
    .style(Style::WordPosix)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
    reads(
        "atop",
        "atop(1) 2.8.1",
        "\
            -1 -A -a -b=data -C -c -D -d -e=data -F -f -G -g -J?=data -L=num -M -m -N -n -o -P?=data -p -R \
            -r=read -S -s -u -V -v -w=append -x -Y -y -Z",
        "data*",
    )
    .style(Style::Lenient)
    ,
    reads(
        "lshw",
        "lshw(1) 02.19",
        "\
            -businfo -C=data -class=data -disable=data -dump=write -enable=data -help -html -json -notime \
            -numeric -quiet -sanitize -short -version -X -xml",
        "",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-X"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
    reads(
        "glances",
        "glances(1) 3.3.1",
        "\
            -0|--disable-irix -1|--percpu -2|--disable-left-sidebar -3|--disable-quicklook \
            -4|--full-quicklook -5|--disable-top -6|--meangpu -B|--bind=data -b|--byte --browser \
            -C|--config=config -c|--client=host --cached-time=num -d|--debug --disable-autodiscover \
            --disable-bg --disable-bold --disable-check-update --disable-plugin=data --disable-process \
            --disable-webui --diskio-iops --diskio-show-ramfs --enable-history --enable-plugin=data \
            --enable-process-extended --export=data --export-csv-file=write --export-json-file=write \
            -f|--process-filter=data --fahrenheit --fs-free-space -h|--help --hide-kernel-threads \
            --light|--enable-light --modules-list --open-web-browser -p|--port=num --password \
            --process-short-name -q|--quiet -s|--server --snmp-auth=data --snmp-community=data \
            --snmp-force --snmp-port=num --snmp-user=data --snmp-version=data --stdout=data -t|--time=num \
            --theme-white --username -V|--version -w|--webserver",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-w", "-s"]),
            ],
            acts: &[
                Act::Acts,
                Act::Listens("*", "http", &["-p"]),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--export", "--browser", "--open-web-browser"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
];
