// Generated from knowledge/programs/script.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "script",
        "script(1) util-linux 2.39, compared with 2.38",
        "\
            -a|--append -c|--command=sh -e|--return -f|--flush --force -I|--log-in=write \
            -O|--log-out=write -B|--log-io=write -T|--log-timing=write -E|--echo=data \
            -m|--logging-format=data -o|--output-limit=num -q|--quiet -t|--timing?=write -F -k -r",
        "",
    )
    .style(Style::Gnu)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Transparent,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-c"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Wraps(1),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-c"]),
                Condition::Operands(0, 1),
            ],
            acts: &[
                Act::RunsStdin("shell"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-a"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Append),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-a"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-O", "-B", "-I"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::WritesFile("typescript"),
            ],
        },
    ])
    ,
];
