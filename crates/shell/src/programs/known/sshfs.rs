// Generated from knowledge/programs/sshfs.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "sshfs",
        "sshfs(1) 3.7",
        "-o=ssh-setting -p=num -C -f -d -s -F=config -r",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "ssh",
                    Direction::Both, &[], "", false),
                Act::Operand(1, false, Role::Meta),
            ],
        },
    ])
    .taken_over()
    ,
];
