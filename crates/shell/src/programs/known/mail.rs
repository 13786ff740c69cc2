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
                Condition::Program(&["s-nail", "mail", "mailx"]),
                Condition::Word(&["-Y", "-S", "--set", "--cmd", "--startup", "-~", "--account",
                        "--resource"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated",
                    "gives the mail program commands or settings that may start others"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--set=", "--cmd=", "--startup=", "--account=", "--resource="]),
                Condition::Program(&["s-nail", "mail", "mailx"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated",
                    "gives the mail program commands or settings that may start others"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["s-nail"]),
                Condition::Word(&["-A"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated",
                    "gives the mail program commands or settings that may start others"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["mutt"]),
                Condition::Word(&["-e", "-F"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "gives commands or settings to mutt, which may start others"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["mutt"]),
                Condition::Word(&["-D", "-Q"]),
            ],
            acts: &[
                Act::Finding("shell.secret_read", "prints settings, which may hold passwords"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["msmtp"]),
                Condition::Word(&["-C", "--file", "--passwordeval"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "takes settings that may name a program"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["-C.", "-C/", "--file=", "--passwordeval="]),
                Condition::Program(&["msmtp"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "takes settings that may name a program"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["sendmail"]),
                Condition::Word(&["-C", "-be", "-D", "-X"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "takes settings that may name a program"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["-C/", "-C.", "-X/", "-X.", "-D/", "-D."]),
                Condition::Program(&["sendmail"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "takes settings that may name a program"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["sendmail"]),
                Condition::Word(&["-bd", "-bD"]),
            ],
            acts: &[
                Act::Listens("*", "smtp", &[]),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--pipe", "--config"]),
                Condition::Program(&["swaks"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "speaks with a program that it starts"),
            ],
        },
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
