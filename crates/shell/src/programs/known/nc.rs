// Generated from knowledge/programs/nc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const BSD: &str = "\
    -4 -6 -b -C -D -d -F -h -I=num -i=num -k -l -M=num -m=num -N -n -O=num -P=data -p=num -q=num -r -S \
    -s=data -T=data -t -U -u -V=num -v -W=num -w=num -X=data -x=choose -Z -z";

const NCAT: &str = "\
    -4 -6 -U|--unixsock -u|--udp --sctp --vsock -g=data -G=num -p|--source-port=num -s|--source=data \
    -l|--listen -m|--max-conns=num -k|--keep-open --broker --chat --ssl --ssl-verify --ssl-cert=read \
    --ssl-key=read --ssl-trustfile=read --ssl-ciphers=data --ssl-servername=data --ssl-alpn=data \
    --proxy=choose --proxy-type=data --proxy-auth=secret --proxy-dns=data -e|--exec=prog -c|--sh-exec=sh \
    --lua-exec=file:lua --allow=data --allowfile=read --deny=data --denyfile=read -d|--delay=num \
    -i|--idle-timeout=num -w|--wait=num -o|--output=write -x|--hex-dump=write --append-output -v|--verbose \
    -C|--crlf -h|--help --recv-only --send-only --no-shutdown -n|--nodns -t|--telnet -z --version";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "nc netcat",
        "nc(1) OpenBSD 1.219, traditional 1.10, ncat 7.93",
        "\
            -c|--sh-exec=sh -e|--exec=prog -g=data -G=num -o|--output=write --allow=data --broker --chat \
            --keep-open --listen --lua-exec=file:lua --proxy=choose --proxy-auth=secret --proxy-type=data \
            --recv-only --send-only --source-port=num --ssl --ssl-verify --udp",
        "",
    )
    .also(BSD)
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
    ,
    works(
        "nc.openbsd",
        "nc.openbsd(1) 1.219",
        "",
        "",
    )
    .also(BSD)
    .prints(Output::Network)
    .takes(StdinRole::Sent)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-l"]),
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
    ,
    works(
        "nc.traditional",
        "nc.traditional(1) 1.10",
        "\
            -c=sh -e=prog -g=data -G=num -h -i=num -l -n -o=write -p=num -q=num -b -r -s=data -t -u -v \
            -w=num -C -z -T=data",
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
                Condition::Has(&["-l"]),
            ],
            acts: &[
                Act::Listens("*", "tcp", &["-p", "last"]),
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
    ,
    works(
        "ncat",
        "ncat(1) 7.93",
        "",
        "",
    )
    .also(NCAT)
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
                Condition::Has(&["-l"]),
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
    ,
];
