// Generated from knowledge/programs/ssh-keyscan.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "ssh-keyscan",
        "ssh-keyscan(1) OpenSSH 9.6",
        "-4 -6 -c -D -H -O=data -f=read -p=num -T=num -t=data -v",
        "host*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-f"]),
            ],
            acts: &[
                Act::ContactsUnknown("ssh", Direction::Fetch),
            ],
        },
    ])
    .taken_over()
    ,
];
