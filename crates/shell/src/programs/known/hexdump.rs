// Generated from knowledge/programs/hexdump.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "hexdump hd xxd hexyl",
        "xxd(1) 2023-10",
        "\
            -a|-autoskip -b|-bits -C|-capitalize|--canonical -c|-cols=num -E|-EBCDIC -e -g|-groupsize=num \
            -h|-help -i|-include -l|-len=num -n=num -o=num -p|-ps|-plain|-postscript -r|-revert -R=data \
            -s=num -seek=num -d -u -v -x -f=read",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::text::xxd),
            ],
        },
    ])
    .taken_over()
    ,
];
