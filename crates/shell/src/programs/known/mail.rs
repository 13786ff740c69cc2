// Generated from knowledge/programs/mail.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "mail mailx mutt sendmail s-nail msmtp swaks mailq",
        "mailx(1) 8.1",
        "\
            -a|-A|--attach|--body=data -s|-c|-b|-r|-q|--header|-S|-F|--from|--server=data -t -v -n -i -N \
            -e",
        "data*",
    )
    .style(Style::LenientWord)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
                Condition::Options(0, 0),
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
                Act::ContactsAt(Pick { at: &["0.."], fits: &["*@*"], except: &[], after: &["@"] },
                    "smtp", Direction::Send, &[], "", true),
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["*@*"]),
            ],
            acts: &[
                Act::ContactsUnknown("smtp", Direction::Send),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::SendsPicked(Pick { at: &["-a"], fits: &[], except: &["@*"], after: &[] }),
                Act::SendsPicked(Pick { at: &["-a"], fits: &["@*"], except: &[], after: &["@"] }),
            ],
        },
    ])
    .taken_over()
    ,
];
