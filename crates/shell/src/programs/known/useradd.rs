// Generated from knowledge/programs/useradd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            useradd userdel usermod adduser deluser groupadd groupdel groupmod addgroup delgroup gpasswd \
            passwd chpasswd chage chfn chsh vipw vigr newusers pwconv pw dscl sysadminctl grpconv faillock \
            pam-auth-update authselect samba-tool smbpasswd",
        "useradd(8) shadow 4.13",
        "-a|--all -i|--iso8601 -l|--list -S|--status",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Program(&["userdel"]),
                Condition::Word(&["-r", "--remove", "-rf", "-fr"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "deletes a home folder"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["deluser"]),
                Condition::Word(&["--remove-home", "--remove-all-files"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "deletes a home folder, or all files of a user"),
            ],
        },
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
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Group, "changes users, groups or passwords"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "htpasswd",
        "htpasswd(1) httpd 2.4",
        "-b -B -c -C=num -d -D -i -m -n -p -r=num -s -v -2 -5",
        "inplace data*",
    )
    .style(Style::Lenient)
    .taken_over()
    ,
];
