// Generated from knowledge/programs/pass.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "pass",
        "pass(1) 1.7",
        "--version -h|--help",
        "",
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
    ])
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints a stored secret"),
            ],
        },
    ])
    .subs(&[
        reads(
            "ls list find search version help",
            "pass(1) 1.7",
            "",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "rm delete remove",
            "pass(1) 1.7",
            "-r|--recursive -f|--force",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "deletes a stored secret"),
                ],
            },
        ])
        ,
        works(
            "insert generate edit init mv rename cp copy add",
            "pass(1) 1.7",
            "\
                -e|--echo -m|--multiline -f|--force -n|--no-symbols -c|--clip -i|--in-place -p|--path=data",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "git",
            "pass(1) 1.7",
            "",
            "",
        )
        .style(Style::Raw)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::RunsAs("git", 0),
                ],
            },
        ])
        ,
        works(
            "show grep otp",
            "pass(1) 1.7",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "prints a stored secret"),
                ],
            },
        ])
        ,
    ])
    .taken_over()
    ,
    works(
        "sops",
        "sops --help 3.8",
        "\
            -d|--decrypt -e|--encrypt -r|--rotate -i|--in-place -s|--show-master-keys -v|--version \
            -h|--help --extract=data --set=data --input-type=data --output-type=data --output=write \
            --config=config --filename-override=data -k|--kms=data -p|--pgp=data -a|--age=data \
            --keyservice=choose --user=data --pristine --background",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-v"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["exec-env"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Read),
                Act::Operand(2, false, Role::Shell),
                Act::Finding("shell.secret_read", "hands decrypted secrets to a command"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["exec-file"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Read),
                Act::Operand(2, false, Role::Shell),
                Act::Finding("shell.secret_read", "hands decrypted secrets to a command"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["decrypt"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::Read),
                Act::Prints(Output::Decoded),
                Act::Finding("shell.secret_read", "prints decrypted secrets"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-d"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
                Act::Prints(Output::Decoded),
                Act::Finding("shell.secret_read", "prints decrypted secrets"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["encrypt", "edit", "rotate", "set", "unset", "updatekeys", "publish",
                        "groups"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "age rage minisign signify cosign keybase",
        "age(1), minisign(1), cosign 1.1, 0.11, 2.2",
        "\
            -d|--decrypt -e|--encrypt -a|--armor -p|--passphrase -r|--recipient=data \
            -R|--recipients-file=read -i|--identity=read -j=data -o|--output|--output-file=write \
            --output-signature=write --output-certificate=write --bundle=write --key=read --version -V -G \
            -S -s=read -m=read -x=write -q|--quiet",
        "data*",
    )
    .style(Style::Lenient)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--version"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-d"]),
            ],
            acts: &[
                Act::Prints(Output::Decoded),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-d"]),
                Condition::Program(&["age", "rage"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints decrypted secrets"),
            ],
        },
        Rule {
            when: &[
                Condition::Path(&["login", "logout", "import-key-pair", "generate-key-pair", "sign",
                        "attest", "upload", "attach", "copy"]),
                Condition::Program(&["cosign"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["*.*", "*/*"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
    ])
    .taken_over()
    ,
];
