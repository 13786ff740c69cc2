// Generated from knowledge/programs/who.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "who gwho",
        "who(1) coreutils 9.4, compared with 9.1",
        "\
            -a|--all -b|--boot -d|--dead -H|--heading --ips -l|--login --lookup -m -p|--process -q|--count \
            -r|--runlevel -s|--short -T|-w|--mesg|--message|--writable -t|--time -u|--users",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(1, 1),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
            ],
        },
    ])
    ,
    reads(
        "w",
        "w(1) procps 4.0",
        "\
            -f|--from -h|--no-header -i|--ip-addr -o|--old-style -p|--pids -s|--short -u|--no-current",
        "data",
    )
    ,
    reads(
        "pinky gpinky",
        "pinky(1) coreutils 9.4, compared with 9.1",
        "-b -f -h -i -l -p -q -s -w",
        "data*",
    )
    ,
    reads(
        "finger",
        "finger(1) 0.17",
        "-l -m -p -s",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["*@*"]),
            ],
            acts: &[
                Act::ContactsUnknown("finger", Direction::Fetch),
                Act::Prints(Output::Network),
            ],
        },
    ])
    ,
    reads(
        "last lastb",
        "last(1) util-linux 2.38",
        "\
            -# -a|--hostlast -d|--dns -F|--fulltimes -f|--file=read -i|--ip -n|--limit=num \
            -p|--present=data -R|--nohostname -s|--since=data --time-format=data -t|--until=data \
            -w|--fullnames -x|--system",
        "data*",
    )
    ,
    reads(
        "lastlog",
        "lastlog(8) shadow 4.13",
        "-b|--before=num -C|--clear -R|--root=choose -S|--set -t|--time=num -u|--user=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-C", "-S"]),
            ],
            acts: &[
                Act::Works,
                Act::Finding("shell.tamper", "changes the record of who logged in when"),
            ],
        },
    ])
    ,
];
