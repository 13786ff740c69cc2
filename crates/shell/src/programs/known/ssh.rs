// Generated from knowledge/programs/ssh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ssh autossh slogin",
        "ssh(1) OpenSSH 9.6",
        "\
            -4 -6 -A -a -B=data -b=data -C -c=data -D=data -E=append -e=data -F=config -f -G -g \
            -I=file:native -i=read -J=data -K -k -L=data -l=data -M -m=data -N -n -O=data -o=ssh-setting \
            -P=data -p=num -Q=data -q -R=data -S=data -s -T -t -V -v -W=data -w=data -X -x -Y -y",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::ssh::ssh),
            ],
        },
    ])
    .taken_over()
    ,
];
