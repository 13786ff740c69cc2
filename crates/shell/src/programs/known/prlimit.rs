// Generated from knowledge/programs/prlimit.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "prlimit",
        "prlimit(1) util-linux 2.39, compared with 2.38",
        "\
            -c|--core?=data -d|--data?=data -e|--nice?=data -f|--fsize?=data -i|--sigpending?=data \
            -l|--memlock?=data -m|--rss?=data -n|--nofile?=data -o|--output=data -p|--pid=num \
            -q|--msgqueue?=data -r|--rtprio?=data -s|--stack?=data -t|--cpu?=data -u|--nproc?=data \
            -v|--as?=data -x|--locks?=data -y|--rttime?=data --noheadings --raw --verbose",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-c", "-d", "-e", "-f", "-i", "-l", "-m", "-n", "-q", "-r", "-s", "-t",
                        "-u", "-v", "-x", "-y"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-p"]),
            ],
            acts: &[
                Act::Works,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Works,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
];
