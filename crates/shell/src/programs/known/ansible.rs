// Generated from knowledge/programs/ansible.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            ansible ansible-playbook ansible-console ansible-pull ansible-galaxy ansible-vault \
            ansible-inventory ansible-doc ansible-config salt salt-call salt-ssh puppet chef-client \
            chef-solo knife cf-agent pyinfra fab capistrano cap mco bolt clush pdsh pssh dsh",
        "ansible(1) 2.16",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::cloud::ansible),
            ],
        },
    ])
    .taken_over()
    ,
];
