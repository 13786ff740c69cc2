// Generated from knowledge/programs/chrt.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "chrt",
        "chrt(1) util-linux 2.39, compared with 2.38",
        "\
            -a|--all-tasks -b|--batch -d|--deadline -e|--ext -f|--fifo -i|--idle -m|--max -o|--other \
            -p|--pid -r|--rr -R|--reset-on-fork -T|--sched-runtime=num -P|--sched-period=num \
            -D|--sched-deadline=num -v|--verbose -h|--help -V|--version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-m"]),
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
                Condition::First(&["#"]),
            ],
            acts: &[
                Act::Wraps(1),
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
