// Generated from knowledge/programs/uuencode.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "uuencode",
        "uuencode(1) sharutils 4.15",
        "\
            -e|--encode-file-name -m|--base64 --no-load-opts -R|--save-opts?=write -r|--load-opts=read",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-R"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
    ])
    ,
    reads(
        "uudecode",
        "uudecode(1) sharutils 4.15",
        "\
            -c|--ignore-chmod --no-load-opts -o|--output-file=write -R|--save-opts?=write \
            -r|--load-opts=read",
        "read*",
    )
    .prints(Output::Decoded)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-R"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-o", "-R"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "writes a file that its input names"),
            ],
        },
    ])
    ,
    reads(
        "recode",
        "recode(1) 3.6",
        "\
            -C|--copyright -c|--colons -d|--diacritics -F|--freeze-tables -f|--force -g|--graphics \
            -h|--header?=data -i -k|--known=data -l|--list?=data -p -q|--quiet|--silent -S|--source?=data \
            -s|--strict --sequence=data -T|--find-subsets -t|--touch -v|--verbose -x|--ignore=data",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-l", "-h", "-T", "-C"]),
            ],
            acts: &[
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-F"]),
            ],
            acts: &[
                Act::Works,
                Act::BeyondPlain,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(1, true, Role::InPlace),
            ],
        },
    ])
    ,
    reads(
        "konwert",
        "konwert(1) 1.8",
        "-O -o=write",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["*(*"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Shell),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["*..*", "/*", "~*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs a filter from another folder"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-O"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-O"]),
            ],
            acts: &[
                Act::Operand(1, true, Role::Read),
            ],
        },
    ])
    ,
    reads(
        "base91 ascii85 unaccent",
        "base91(1), ascii85(1), unaccent(1) 0.6, 0.9, 1.8",
        "",
        "read data",
    )
    .prints(Output::Filtered)
    .taken_over()
    ,
];
