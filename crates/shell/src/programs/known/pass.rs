// Generated from knowledge/programs/pass.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "pass",
        "pass(1) 1.7.4",
        "--version -h|--help -c|--clip?=num -q|--qrcode?=num",
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
            "pass(1) 1.7.4",
            "",
            "data*",
        )
        .style(Style::Lenient)
        ,
        works(
            "rm delete remove",
            "pass(1) 1.7.4",
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
            "insert add generate mv rename cp copy",
            "pass(1) 1.7.4",
            "\
                -e|--echo -m|--multiline -f|--force -n|--no-symbols -c|--clip -q|--qrcode -i|--in-place",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                    Condition::Has(&["-f", "-i"]),
                ],
                acts: &[
                    Act::Finding("shell.data_loss", "replaces a stored secret without a question"),
                ],
            },
        ])
        ,
        works(
            "edit",
            "pass(1) 1.7.4",
            "",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.secret_read", "opens a stored secret in an editor"),
                ],
            },
        ])
        ,
        works(
            "init",
            "pass(1) 1.7.4",
            "-p|--path=data",
            "data*",
        )
        .style(Style::Lenient)
        .rules(&[
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Finding("shell.tamper", "encrypts the store for the keys that are named"),
                ],
            },
        ])
        ,
        works(
            "git",
            "pass(1) 1.7.4",
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
            "pass(1) 1.7.4",
            "-c|--clip?=num -q|--qrcode?=num",
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
    ,
    works(
        "sops",
        "sops --help, and help of each command 3.10",
        "\
            --add-age=data --add-azure-kv=data --add-gcp-kms=data --add-hc-vault-transit=data \
            --add-kms=data --add-pgp=data --address|--addr=data -a|--age=data --aws-profile=data \
            --azure-kv=data --background --config=config -d|--decrypt --decryption-order=data \
            --disable-version-check --enable-local-keyservice?=data -e|--encrypt \
            --encrypted-comment-regex=data --encrypted-regex=data --encrypted-suffix=data \
            --encryption-context=data --extract=data -f|--file=data --filename=data \
            --filename-override=data --gcp-kms=data -h|--help --hc-vault-transit=data --idempotent \
            --ignore-mac -i|--in-place --indent=num --input-type=data --keyservice=choose -k|--kms=data \
            --mac-only-encrypted --network|--net=data --no-fifo --omit-extensions --output=write \
            --output-type=data -p|--pgp=data --pristine --prompt --recursive --rm-age=data \
            --rm-azure-kv=data --rm-gcp-kms=data --rm-hc-vault-transit=data --rm-kms=data --rm-pgp=data \
            -r|--rotate --same-process --set=data --shamir-secret-sharing-threshold=num \
            -s|--show-master-keys --unencrypted-comment-regex=data --unencrypted-regex=data \
            --unencrypted-suffix=data --user=data --verbose -v|--version -y|--yes",
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
                Condition::Has(&["--add-age", "--add-azure-kv", "--add-gcp-kms",
                        "--add-hc-vault-transit", "--add-kms", "--add-pgp"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "gives another key access to the secrets"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["exec-env", "exec-file"]),
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
                Condition::First(&["filestatus"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(1, true, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["keyservice"]),
            ],
            acts: &[
                Act::Listens("127.0.0.1", "tcp", &[]),
                Act::Finding("shell.secret_read", "decrypts for whoever connects"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["publish"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::Read),
                Act::ContactsUnknown("https", Direction::Send),
                Act::Finding("shell.upload", "publishes secrets to the configured store"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["decrypt"]),
                Condition::Has(&["-i"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::InPlace),
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
                Condition::Has(&["-i"]),
                Condition::Has(&["-d"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::InPlace),
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
                Condition::First(&["encrypt", "rotate"]),
                Condition::Lacks(&["-i"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-e", "-r"]),
                Condition::Lacks(&["-i"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["groups"]),
            ],
            acts: &[
                Act::Value("-f", Role::InPlace),
                Act::Finding("shell.tamper", "changes which keys can read the secrets"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["set", "unset"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["encrypt", "rotate", "updatekeys"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["edit"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::InPlace),
                Act::Finding("shell.secret_read", "opens decrypted secrets in an editor"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-e", "-r", "--set"]),
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "opens decrypted secrets in an editor"),
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
    ,
    works(
        "age rage",
        "age(1) 1.1.1",
        "\
            -a|--armor -d|--decrypt -e|--encrypt -i|--identity=read -j=data -o|--output=write \
            -p|--passphrase -r|--recipient=data -R|--recipients-file=read --version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-j"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-d"]),
            ],
            acts: &[
                Act::Prints(Output::Decoded),
                Act::Finding("shell.secret_read", "prints decrypted secrets"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
            ],
        },
    ])
    ,
    works(
        "minisign",
        "minisign(1) 0.11",
        "\
            -C -c=data -f -G -H -l -m=read -o -P=data -p=data -Q -q -R -S -s=data -t=data -V -v -W -x=data",
        "",
    )
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
                Condition::Has(&["-G"]),
                Condition::Lacks(&["-s"]),
            ],
            acts: &[
                Act::WritesFile("~/.minisign/minisign.key"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-G"]),
                Condition::Lacks(&["-p"]),
            ],
            acts: &[
                Act::WritesFile("minisign.pub"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-G"]),
            ],
            acts: &[
                Act::Value("-s", Role::Write),
                Act::Value("-p", Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-R"]),
            ],
            acts: &[
                Act::Value("-s", Role::Read),
                Act::Value("-p", Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-C"]),
            ],
            acts: &[
                Act::Value("-s", Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-S"]),
                Condition::Lacks(&["-x"]),
            ],
            acts: &[
                Act::Value("-m", Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-S"]),
            ],
            acts: &[
                Act::Value("-s", Role::Read),
                Act::Value("-p", Role::Read),
                Act::Value("-x", Role::Write),
                Act::Operand(0, true, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-V"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Value("-p", Role::Read),
                Act::Value("-x", Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Value("-s", Role::Read),
                Act::Value("-p", Role::Read),
                Act::Value("-x", Role::Write),
                Act::Operand(0, true, Role::InPlace),
            ],
        },
    ])
    ,
    works(
        "cosign keybase",
        "cosign 2.2",
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
    works(
        "signify",
        "signify-openbsd(1) 31",
        "-C -c=data -e -G -m=data -n -p=data -q -S -s=data -t=data -V -x=data -z",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-G"]),
            ],
            acts: &[
                Act::Value("-p", Role::Write),
                Act::Value("-s", Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-S"]),
            ],
            acts: &[
                Act::Value("-m", Role::Read),
                Act::Value("-s", Role::Read),
                Act::Value("-x", Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-S"]),
                Condition::Lacks(&["-x"]),
            ],
            acts: &[
                Act::Value("-m", Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-S"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-e"]),
                Condition::Has(&["-V"]),
            ],
            acts: &[
                Act::Value("-p", Role::Read),
                Act::Value("-x", Role::Read),
                Act::Value("-m", Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-C", "-V"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Value("-m", Role::Read),
                Act::Value("-p", Role::Read),
                Act::Value("-x", Role::Read),
                Act::Operand(0, true, Role::Read),
                Act::Stop,
            ],
        },
    ])
    ,
];
