// Generated from knowledge/programs/ldapsearch.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const SERVER: &str = "-h=data -H=data -S=data -I=data -f=read -y=read";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "ldapsearch kinit rpcclient smbget winexe showmount mount.cifs snmpwalk snmpget",
        "ldapsearch(1) 2.6",
        "",
        "data*",
    )
    .also(SERVER)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["delete*", "create*", "setuser*", "shutdown*", "*;*delete*",
                        "*;*create*", "*;*setuser*", "*;*shutdown*"]),
                Condition::Program(&["rpcclient"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.infra", "changes accounts of a network"),
            ],
        },
        Rule {
            when: &[
                Condition::NoOperand(&["-o*", "-O*", "--outputfile*", "--stdout"]),
                Condition::Program(&["smbget"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile("…"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["-"]),
                Condition::Program(&["winexe"]),
            ],
            acts: &[
                Act::Finding("shell.remote_code", "runs a command on another machine"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["-h", "-H", "-S", "-I"], fits: &[], except: &[],
                    after: &[] }, "ldap", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["0.."], fits: &["//*"], except: &[], after: &["//"] },
                    "smb", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "smb",
                    Direction::Both, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-h", "-H", "-S", "-I"]),
                Condition::NoOperand(&["//*", "*://*"]),
            ],
            acts: &[
                Act::ContactsUnknown("ldap", Direction::Both),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "ldapadd ldapmodify kadmin",
        "ldapmodify(1) 2.6",
        "",
        "data*",
    )
    .also(SERVER)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["-h", "-H", "-S", "-I"], fits: &[], except: &[],
                    after: &[] }, "ldap", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["0.."], fits: &["//*"], except: &[], after: &["//"] },
                    "smb", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "smb",
                    Direction::Both, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-h", "-H", "-S", "-I"]),
                Condition::NoOperand(&["//*", "*://*"]),
            ],
            acts: &[
                Act::ContactsUnknown("ldap", Direction::Both),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.infra", "changes entries of a directory"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "ldapdelete",
        "ldapdelete(1) 2.6",
        "",
        "data*",
    )
    .also(SERVER)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["-h", "-H", "-S", "-I"], fits: &[], except: &[],
                    after: &[] }, "ldap", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["0.."], fits: &["//*"], except: &[], after: &["//"] },
                    "smb", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "smb",
                    Direction::Both, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-h", "-H", "-S", "-I"]),
                Condition::NoOperand(&["//*", "*://*"]),
            ],
            acts: &[
                Act::ContactsUnknown("ldap", Direction::Both),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.data_loss", "deletes entries of a directory"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "smbclient",
        "smbclient(1) 4.19",
        "-c=lang:ftp",
        "data*",
    )
    .also(SERVER)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-c"], &["get*", "mget*", "reget*", "*;*get*"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile("…"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["-Tx"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::WritesFile("…"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-c"], &["del*", "rm*", "rename*", "wdel*", "*;*del*", "*;*rm*"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.data_loss", "changes or deletes files of a server"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["-h", "-H", "-S", "-I"], fits: &[], except: &[],
                    after: &[] }, "ldap", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["0.."], fits: &["//*"], except: &[], after: &["//"] },
                    "smb", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "smb",
                    Direction::Both, &[], "", false),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-h", "-H", "-S", "-I"]),
                Condition::NoOperand(&["//*", "*://*"]),
            ],
            acts: &[
                Act::ContactsUnknown("ldap", Direction::Both),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "smbstatus nfsstat wbinfo",
        "smbstatus(1) 4.19",
        "-h=data -H=data -S=data -I=data",
        "data*",
    )
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["-h", "-H", "-S", "-I"], fits: &[], except: &[],
                    after: &[] }, "ldap", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["0.."], fits: &["//*"], except: &[], after: &["//"] },
                    "smb", Direction::Both, &[], "", false),
                Act::ContactsAt(Pick { at: &["://"], fits: &[], except: &[], after: &[] }, "smb",
                    Direction::Both, &[], "", false),
            ],
        },
    ])
    .taken_over()
    ,
];
