// Generated from knowledge/programs/useradd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            useradd userdel usermod adduser deluser groupadd groupdel groupmod addgroup delgroup gpasswd \
            passwd chpasswd chage chfn chsh vipw vigr newusers pwconv pw dscl sysadminctl grpconv faillock \
            pam-auth-update authselect samba-tool smbpasswd htpasswd",
        "useradd(8) shadow 4.13",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["-S", "--status"]),
                Condition::Program(&["passwd"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-l", "--list"]),
                Condition::Program(&["chage"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-read", "read", "-list", "list", "-search"]),
                Condition::Program(&["dscl"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["htpasswd"]),
            ],
            acts: &[
                Act::OperandOf(0, false, Role::InPlace, &Choice {
                        unless: &["-*"],
                        ..Choice::ALL
                    }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Group, "changes users, groups or passwords"),
            ],
        },
    ])
    .taken_over()
    ,
];
