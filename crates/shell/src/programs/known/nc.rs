// Generated from knowledge/programs/nc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "nc ncat netcat nc.openbsd nc.traditional",
        "nc(1) OpenBSD 1.226, ncat(1) 7.94",
        "\
            -4 -6 -b -C -D -d -F -h -I=num -i=num -k -l -M=num -m=num -N -n -O=num -P=data -p=num -q=num \
            -r -S -s=data -T=data -t -U -u -V=num -v -W=num -w=num -X=data -x=data -Z -z -c|--sh-exec=sh \
            -e|--exec=prog --lua-exec=file:lua --ssl --ssl-verify --listen --keep-open --udp --proxy=data \
            --proxy-type=data --proxy-auth=secret -g=data -G=num --send-only --recv-only -o|--output=write \
            --broker --chat --allow=data --source-port=num",
        "",
    )
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-c", "-e"]),
            ],
            acts: &[
                Act::Finding("shell.remote_code", "a program runs on what comes over a connection"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-l", "--listen"]),
            ],
            acts: &[
                Act::Listens("*", "tcp", &["-p", "last"]),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-U"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::InPlace),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-z"]),
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Fetch, &["1"], "", true),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-z"]),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Fetch, &["1"], "", false),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Stdin(Arrives::Given),
            ],
            acts: &[
                Act::ContactsAt(Pick { at: &["0"], fits: &[], except: &[], after: &[] }, "tcp",
                    Direction::Both, &["1"], "", true),
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
