// Generated from knowledge/programs/s3cmd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "s3cmd s5cmd mc gsutil b2 azcopy",
        "s3cmd 2.4",
        "",
        "data*",
    )
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["rm", "del", "rb"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "deletes in an object store"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["setpolicy", "setacl", "iam", "acl", "anonymous", "policy",
                        "accesslog"]),
            ],
            acts: &[
                Act::Finding("shell.infra", "changes who may use a store"),
            ],
        },
        Rule {
            when: &[
                Condition::At(Pick { at: &["last"], fits: &["*:*"], except: &["file:*", "./*",
                    "../*", "/*"], after: &[] }),
                Condition::Operands(3, usize::MAX),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["1.."], fits: &["*:*"], except: &["file:*", "./*",
                    "../*", "/*"], after: &[] }, "s3", Direction::Send, &[], "", false),
                Act::SendsPicked(Pick { at: &["1.."], fits: &[], except: &["*:*"], after: &[] }),
                Act::SendsPicked(Pick { at: &["1.."], fits: &["file:*", "./*:*", "../*:*", "/*:*"],
                    except: &[], after: &[] }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["1.."], fits: &["*:*"], except: &["file:*", "./*",
                    "../*", "/*"], after: &[] }, "s3", Direction::Fetch, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(3, usize::MAX),
            ],
            acts: &[
                Act::Picked(Pick { at: &["last"], fits: &[], except: &[], after: &[] }, Role::Download),
            ],
        },
    ])
    .taken_over()
    ,
];
