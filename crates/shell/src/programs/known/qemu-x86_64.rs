// Generated from knowledge/programs/qemu-x86_64.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "qemu-x86_64 qemu-aarch64 qemu-arm",
        "qemu-user: docs/user/main 10, compared with qemu-user(1) 7.2",
        "\
            -0=data -B=data -cpu=data -D=write -d=data -E=data -g=data -h -L=choose -one-insn-per-tb \
            -p=num -plugin=file:native -R=data -r=data -s=num -singlestep -strace -U=data -version",
        "",
    )
    .style(Style::WordPosix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-h", "-version"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-g"]),
            ],
            acts: &[
                Act::Listens("*", "tcp", &["-g"]),
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
    ,
    wraps(
        "box64",
        "box64(1) 0.2",
        "",
        "",
    )
    .style(Style::WordPosix)
    .rules(&[
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
