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
            ],
            acts: &[
                Act::Rust(crate::programs::system::users),
            ],
        },
    ])
    .taken_over()
    ,
];
