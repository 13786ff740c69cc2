// Generated from knowledge/programs/sftp.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "sftp",
        "sftp(1) OpenSSH 9.6, compared with 9.2",
        "\
            -4 -6 -A -a -B=num -b=file:ftp -C -c=data -D=prog -F=config -f -i=read -J=host -l=num -N \
            -o=ssh-setting -P=num -p -q -R=num -r -S=prog -s=data -v -X=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::ssh::sftp),
                Act::Operand(1, false, Role::Download),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["*:*"]),
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::WritesFile("."),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-s"], &["*/*"]),
            ],
            acts: &[
                Act::RunsRemoteValue("-s", "the other host"),
            ],
        },
    ])
    ,
];
