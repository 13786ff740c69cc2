// Generated from knowledge/programs/sftp.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "sftp",
        "sftp(1) OpenSSH 9.6",
        "\
            -4 -6 -A -a -B=num -b=file:ftp -C -c=data -D=prog -F=config -f -i=read -J=data -l=num -N \
            -o=ssh-setting -P=num -p -q -R=num -r -S=prog -s=data -v -X=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::ssh::sftp),
            ],
        },
    ])
    .taken_over()
    ,
];
