// Generated from knowledge/programs/doppler.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            doppler infisical chamber teller aws-vault saml2aws aws-sso aws-okta granted assume berglas \
            bitwarden-secrets",
        "their manuals doppler 3.68, chamber 2.13, aws-vault 7.2",
        "\
            -p|--project=data -c|--config=data -t|--token=secret --version -h|--help --debug --command=sh",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["version", "help", "--version", "completion", "list"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Word(&["--"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "hands stored secrets to a command"),
                Act::Runs(AFTER_DASHES),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["exec/*"]),
                Condition::Program(&["aws-vault", "saml2aws", "aws-okta", "chamber", "aws-sso"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "hands stored secrets to a command"),
                Act::Runs(2),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["delete", "destroy", "purge", "disable", "revoke", "remove", "rm"]),
            ],
            acts: &[
                Act::Finding("shell.data_loss", "destroys stored secrets or access to them"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Verb(&["write", "put", "patch", "enable", "login", "import", "upload", "set"]),
            ],
            acts: &[
                Act::ReadsAfter(&["@"]),
                Act::ContactsUnknown("https", Direction::Send),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.secret_read", "{program} prints secrets, or hands them to a command"),
            ],
        },
    ])
    .taken_over()
    ,
];
