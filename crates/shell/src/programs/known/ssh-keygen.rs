// Generated from knowledge/programs/ssh-keygen.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ssh-keygen",
        "ssh-keygen(1) OpenSSH 9.6, compared with 9.2",
        "\
            -A -a=num -B -b=num -C=data -c -D=file:native -E=data -e -F=data -f=data -G=write -g -H -h \
            -I=data -i -K -k -L -l -M=data -m=data -N=secret -n=data -O=data -P=secret -p -Q -q -R=data \
            -r=data -s=read -T=write -t=data -U -u -V=data -v -w=file:native -Y=data -y -Z=data -z=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-O"], &["checkpoint=*", "challenge=*", "write-attestation=*"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-Y"], &["sign"]),
            ],
            acts: &[
                Act::Value("-f", Role::Read),
                Act::Operand(0, true, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-Y"], &["find-principals", "match-principals", "check-novalidate", "verify"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Value("-f", Role::Read),
                Act::Value("-r", Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-k"]),
            ],
            acts: &[
                Act::Value("-f", Role::Write),
                Act::Operand(0, true, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-Q"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Value("-f", Role::Read),
                Act::Operand(0, true, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-s"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-L", "-F"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Value("-f", Role::Look),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-R", "-H"]),
                Condition::Lacks(&["-f"]),
            ],
            acts: &[
                Act::WritesFile("~/.ssh/known_hosts"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-R", "-H"]),
            ],
            acts: &[
                Act::Value("-f", Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-D"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-K"]),
            ],
            acts: &[
                Act::WritesFile("id_ed25519_sk_rk"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-l", "-B"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Value("-f", Role::Look),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-f"]),
                Condition::Has(&["-p", "-c"]),
            ],
            acts: &[
                Act::Value("-f", Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-y", "-e", "-i", "-r"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Value("-f", Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-M"]),
            ],
            acts: &[
                Act::Value("-f", Role::Read),
                Act::Operand(0, true, Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-A"]),
            ],
            acts: &[
                Act::WritesFile("{-f|}/etc/ssh/ssh_host_ed25519_key"),
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
                Condition::Lacks(&["-G", "-T"]),
            ],
            acts: &[
                Act::WritesFile("~/.ssh/id_ed25519"),
            ],
        },
    ])
    ,
];
