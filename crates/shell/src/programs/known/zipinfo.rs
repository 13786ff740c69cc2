// Generated from knowledge/programs/zipinfo.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "zipinfo",
        "zipinfo(1) Info-ZIP 3.0",
        "-1 -2 -C -h -l -M -m -s -T -t -U -v -x=pat -z",
        "read data*",
    )
    ,
    reads(
        "zipnote",
        "zipnote(1) Info-ZIP 3.0",
        "-b=dir -h -L -v -w",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-w"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-w"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::InPlace),
            ],
        },
    ])
    ,
    reads(
        "lsinitramfs",
        "lsinitramfs(8) initramfs-tools 0.142",
        "-h -l",
        "read*",
    )
    ,
];
