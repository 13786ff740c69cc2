// Generated from knowledge/programs/twine.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "twine",
        "twine --help of each command 7.0",
        "--no-color --strict",
        "data*",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Word(&["--sign-with"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "signs with a program that an option names"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::RunsAfter("--sign-with="),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--repository-url"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::ContactsUnknown("https", Direction::Send),
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["-r", "--repository", "--repository-url", "--config-file", "--cert"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--repository=", "--repository-url=", "--config-file=", "--cert="]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["upload"]),
                Condition::Word(&["--help", "-h"]),
            ],
            acts: &[
                Act::Contacts("upload.pypi.org", "https", Direction::Fetch),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["upload"]),
            ],
            acts: &[
                Act::Contacts("upload.pypi.org", "https", Direction::Send),
                Act::Finding("shell.upload", "`twine upload` changes what others get from the registry"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["check"]),
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
                Act::BeyondPlain,
            ],
        },
    ])
    ,
];
