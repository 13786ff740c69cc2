// Generated from knowledge/programs/mail.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "mail mailx mutt sendmail s-nail msmtp swaks mailq",
        "mailx(1) 8.1",
        "",
        "",
    )
    .style(Style::Raw)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::network::mail),
            ],
        },
    ])
    .taken_over()
    ,
];
