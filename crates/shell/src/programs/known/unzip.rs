// Generated from knowledge/programs/unzip.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "unzip",
        "unzip(1) Info-ZIP 6.0",
        "\
            -1 -2 -$ -A -c -f -l -p -t -T -u -v -z -a -b -B -C -D -E -F -i -j -J -k -K -L -M -n -N -o \
            -P=secret -q -s -S -U -V -W -X -Y -Z -h -m -: -^ -/ -d=data -x=data -O=data -I=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-:"]),
                Condition::Lacks(&["-l", "-p", "-t", "-z", "-Z"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "unpacks members wherever their names lead"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-K"]),
                Condition::Lacks(&["-l", "-p", "-t", "-z", "-Z"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "keeps the set-user-id bits of what it unpacks"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-T"]),
                Condition::Lacks(&["-l", "-p", "-z", "-Z"]),
            ],
            acts: &[
                Act::Acts,
                Act::Operand(0, false, Role::Meta),
            ],
        },
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
                Condition::Has(&["-l", "-p", "-t", "-v", "-z", "-c", "-Z"]),
                Condition::Lacks(&["-T"]),
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
    ,
];
