// Generated from knowledge/programs/m4.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "m4 gm4",
        "m4(1) 1.4.19",
        "\
            -E|--fatal-warnings -i|--interactive -P|--prefix-builtins -Q|--quiet|--silent \
            --warn-macro-sequence?=pat -W|--word-regexp=pat -D|--define=data -I|--include=look \
            -s|--synclines -U|--undefine=data -g|--gnu -G|--traditional -H|--hashsize=num \
            -L|--nesting-limit=num -F|--freeze-state=write -R|--reload-state=file -d?=data --debug?=data \
            --debugfile?=write -l|--arglength=num -t|--trace=data -e -o|--error-output=write",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-D"], &["*syscmd*"]),
            ],
            acts: &[
                Act::Value("-D", Role::Lang("m4")),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::File("m4")),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::RunsStdin("m4"),
            ],
        },
    ])
    ,
];
