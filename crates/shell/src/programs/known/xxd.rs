// Generated from knowledge/programs/xxd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "xxd",
        "xxd(1) 2023-10",
        "\
            -a|-autoskip -b|-bits -C|-capitalize -c|-cols=num -d -E|-EBCDIC -e -g|-groupsize=num -h|-help \
            -i|-include -l|-len=num -n|-name=data -o=num -p|-ps|-plain|-postscript -r|-revert -R=data \
            -s=num -seek=num -u -v",
        "",
    )
    .prints(Output::Filtered)
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
                Condition::Lacks(&["-r"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-r"]),
            ],
            acts: &[
                Act::Prints(Output::Decoded),
                Act::Operand(1, false, Role::InPlace),
            ],
        },
    ])
    .taken_over()
    ,
];
