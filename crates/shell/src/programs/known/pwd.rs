// Generated from knowledge/programs/pwd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "pwd whoami logname tty nproc hostid",
        "pwd(1), whoami(1), logname(1), tty(1), nproc(1), hostid(1) coreutils 9.4, compared with 9.1",
        "-L|--logical -P|--physical -s|--silent|--quiet --all --ignore=num",
        "data*",
    )
    .takes(StdinRole::Ignored)
    ,
    reads(
        "users uptime",
        "users(1) coreutils 9.4, compared with 9.1, uptime(1) procps 4.0",
        "-h -p|--pretty -s|--since -V",
        "read",
    )
    .takes(StdinRole::Ignored)
    ,
    wraps(
        "arch",
        "arch(1) coreutils 9.4, compared with 9.1, macOS 14",
        "-32 -64 -arch=data -arm64 -arm64e -c -d=data -e=data -h -i386 -x86_64 -x86_64h",
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
    .taken_over()
    ,
];
