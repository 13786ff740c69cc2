// Generated from knowledge/programs/uuencode.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "uuencode uudecode base91 ascii85 recode konwert unaccent",
        "uuencode(1) sharutils 4.15",
        "-m|--base64 -o|--output-file=write -e|--encode-file-name -c|--ignore-chmod",
        "read data",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Program(&["uudecode"]),
            ],
            acts: &[
                Act::Prints(Output::Decoded),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-o"]),
                Condition::Program(&["uudecode"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "writes a file that its input names"),
            ],
        },
    ])
    .taken_over()
    ,
];
