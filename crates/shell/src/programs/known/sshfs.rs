// Generated from knowledge/programs/sshfs.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "sshfs",
        "sshfs(1) 3.7",
        "-1 -C -d|--debug -F=config -f -o=ssh-setting -p=num -r -s",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-o"], &["*,ssh_command=*", "*,ProxyCommand=*", "*,LocalCommand=*",
                        "*,KnownHostsCommand=*", "*,PKCS11Provider=*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs a program that a mount option names"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-o"], &["*idfile=*"]),
            ],
            acts: &[
                Act::ReadsAfter(&["idfile="]),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-o"], &["*allow_other*", "*allow_root*", "*no_contain_symlinks*",
                        "*directport=*"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "ssh",
                    Direction::Both, &[], "", false),
                Act::Operand(1, false, Role::Meta),
            ],
        },
    ])
    ,
];
