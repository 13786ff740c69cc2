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
                Condition::Program(&["s3cmd"]),
                Condition::Word(&["--delete-removed", "--delete-after"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "deletes what is only in the target"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["s5cmd", "azcopy", "mc", "b2"]),
                Condition::Word(&["--delete", "--delete-destination", "--delete-destination=true",
                        "--remove"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "deletes what is only in the target"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["rsync"]),
                Condition::Program(&["gsutil"]),
                Condition::Word(&["-d"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "deletes what is only in the target"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["s3cmd"]),
                Condition::Word(&["--dump-config"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints the keys of the store"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--host=", "--host-bucket="]),
                Condition::Program(&["s3cmd"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
            ],
        },
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
