// Generated from knowledge/programs/ssh-keyscan.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "ssh-keyscan",
        "ssh-keyscan(1) OpenSSH 9.6, compared with 9.2",
        "-4 -6 -c -D -f=read -H -O=data -p=num -q -T=num -t=data -v",
        "host*",
    )
    .prints(Output::Network)
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
    ,
];
