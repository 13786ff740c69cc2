// Generated from knowledge/programs/setarch.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "setarch i386 linux32 linux64 x86_64 i686 aarch64 armv7l uname26",
        "setarch(8) util-linux 2.39",
        "\
            -3|--3gb --4gb -B|--32bit -F|--fdpic-funcptrs -I|--short-inode -L|--addr-compat-layout \
            -R|--addr-no-randomize -S|--whole-seconds -T|--sticky-timeouts -X|--read-implies-exec \
            -Z|--mmap-page-zero --list -v|--verbose --show?=data --uname-2.6 -p|--pid=num",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::setarch),
            ],
        },
    ])
    .taken_over()
    ,
];
