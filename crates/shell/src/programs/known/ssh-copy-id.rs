// Generated from knowledge/programs/ssh-copy-id.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ssh-copy-id",
        "ssh-copy-id(1) OpenSSH 9.6, compared with 9.2",
        "-f -n -s -i=read -F=config -p=num -o=ssh-setting -t=data -x",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.persistence", "puts a key on another host"),
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "ssh",
                    Direction::Send, &[], "", false),
            ],
        },
    ])
    ,
];
