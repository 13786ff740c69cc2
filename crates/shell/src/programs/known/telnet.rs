// Generated from knowledge/programs/telnet.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const CONNECTION: &str = "\
    -# -a -4 -6 -8 -E -K -L -X=data -d -e=data -l=data -n=read -x -v -i -p -A -g -dump -source -nolist \
    -listonly -width=num -accept_all_cookies -c=data -T=data -m -b=data -f=data";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "telnet rlogin rsh rcp rexec gopher irssi weechat",
        "telnet(1) 0.17",
        "",
        "",
    )
    .also(CONNECTION)
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Both, &["1"], "", false),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "ftp tftp",
        "ftp(1), tftp(1) 0.17",
        "",
        "",
    )
    .also(CONNECTION)
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::RunsStdin("ftp"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-c"], &["put"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::Read),
                Act::Finding("shell.upload", "sends a file to another machine"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-c"], &["get"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::Download),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Both, &["1"], "", false),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "lynx links elinks w3m browsh",
        "lynx(1) 2.9",
        "",
        "",
    )
    .also(CONNECTION)
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&[".*", "/*", "~*", "file:*"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0"], fits: &[".*", "/*", "~*"], except: &[], after: &[] }, Role::Read),
                Act::Picked(Pick { at: &["0"], fits: &["file://*"], except: &[], after: &["file://"] }, Role::Read),
                Act::Picked(Pick { at: &["0"], fits: &["file:*"], except: &["file://*"],
                    after: &["file:"] }, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["*.html", "*.htm"]),
                Condition::NoOperand(&["*://*"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Both, &["1"], "", false),
            ],
        },
    ])
    .taken_over()
    ,
];
