// Generated from knowledge/programs/ssh-add.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ssh-add ssh-agent",
        "ssh-add(1) OpenSSH 9.6",
        "\
            -a=data -c|-C -D -d -E=data -K -k -L -l -q -s=file:native -S=file:native -T=read -t=num -v -X \
            -x -H=read -h=data -P=data -O=data",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(1, usize::MAX),
                Condition::Program(&["ssh-agent"]),
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["ssh-agent"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-l", "-L"]),
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
                Act::Operand(0, true, Role::Read),
            ],
        },
    ])
    .taken_over()
    ,
];
