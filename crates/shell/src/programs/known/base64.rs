// Generated from knowledge/programs/base64.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "base64 base32 basenc",
        "basenc(1) coreutils 9.4, compared with 9.1",
        "\
            -d|-D|--decode -i|--ignore-garbage -w|--wrap=num -b=num --break=num --base64 --base64url \
            --base32 --base32hex --base16 --base2msbf --base2lsbf --z85 --base58 --input=read \
            -o|--output=write",
        "read*",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-d"]),
            ],
            acts: &[
                Act::Prints(Output::Decoded),
            ],
        },
    ])
    ,
];
