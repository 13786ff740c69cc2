// Generated from knowledge/programs/ssh-keygen.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ssh-keygen",
        "ssh-keygen(1) OpenSSH 9.6",
        "\
            -q -a=num -b=num -C=data -f=data -m=data -N=secret -O=data -t=data -w=file -Z=data -p \
            -P=secret -i -e -y -c -v -l -B -D=file:native -F=data -H -K -R=data -r=data -g -G=data -M=data \
            -T=data -I=data -s=read -h -n=data -V=data -z=data -U -L -A -k -Q -u -Y=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-l", "-F", "-L", "-B", "-Q"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Value("-f", Role::Look),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-y", "-e"]),
            ],
            acts: &[
                Act::Value("-f", Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-f"]),
            ],
            acts: &[
                Act::Value("-f", Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-Y", "-R", "-H"]),
            ],
            acts: &[
                Act::WritesFile("~/.ssh/id_ed25519"),
            ],
        },
    ])
    .taken_over()
    ,
];
