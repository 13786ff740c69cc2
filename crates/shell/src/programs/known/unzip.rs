// Generated from knowledge/programs/unzip.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "unzip",
        "unzip(1) 6.0",
        "\
            -# -A -c -f -l -p -t -T -u -v -z -a -b -B -C -D -DD -E -F -i -j -J -k -K -L -M -n -N -o \
            -P=secret -q -qq -s -S -U -V -W -X -Y -: -^ -/ -d=data -x=data -O=data -I=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-p", "-c"]),
            ],
            acts: &[
                Act::Mentions,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-l", "-p", "-t", "-v", "-z", "-c"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Prints(Output::Decoded),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::WritesFile("{-d|.}"),
            ],
        },
    ])
    .taken_over()
    ,
];
