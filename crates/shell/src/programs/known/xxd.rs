// Generated from knowledge/programs/xxd.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "xxd",
        "xxd(1) 2023-10, compared with 2022-01",
        "\
            -a|-autoskip -b|-bits -C|-capitalize -c=num -cols=num -d -E|-EBCDIC -e -g=num -groupsize=num \
            -h|-help -i|-include -l=num -len=num -n=data -name=data -o=num -p|-ps|-plain|-postscript \
            -R=data -r|-revert -s=num -seek=num -u -v|-version",
        "",
    )
    .style(Style::Word)
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
    ,
];
