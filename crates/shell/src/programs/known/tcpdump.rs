// Generated from knowledge/programs/tcpdump.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "tcpdump tshark wireshark dumpcap ngrep snoop tcpflow mitmproxy mitmdump",
        "tcpdump(8) 4.99",
        "\
            -# -A -b -B=num -c=num --count -C=num -d -D -e -E=data -f -F=read -G=num -h -H \
            -i|--interface=data -I -j=data -J -K -l -L -m=data -M=data -n -N -O -p -P=data -Q=data -q \
            -r=read -s=num -S -t -T=data -u -U -v -V=read -w=write -W=num -x -X -y=data -z=prog -Z=data \
            -Y=data -R=data -a=data",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-r", "-D"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "captures network traffic"),
            ],
        },
    ])
    .taken_over()
    ,
];
