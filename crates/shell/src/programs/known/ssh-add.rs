// Generated from knowledge/programs/ssh-add.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ssh-add",
        "ssh-add(1) OpenSSH 9.6, compared with 9.2",
        "\
            -C -c -D -d -E=data -e=data -H=read -h=data -K -k -L -l -q -S=file:native -s=file:native -T \
            -t=num -v -X -x",
        "",
    )
    .style(Style::Posix)
    .rules(&[
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
    ,
    works(
        "ssh-agent",
        "ssh-agent(1) OpenSSH 9.6, compared with 9.2",
        "-a=write -c -D -d -E=data -k -O=data -P=data -s -t=num",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-O"], &["allow-remote-pkcs11"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "lets other machines load libraries into the agent"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-P"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "chooses which libraries the agent may load"),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
];
