// Generated from knowledge/programs/setarch.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const SETARCH: &str = "\
    -3|--3gb --4gb -B|--32bit -F|--fdpic-funcptrs -I|--short-inode -L|--addr-compat-layout \
    -R|--addr-no-randomize -S|--whole-seconds -T|--sticky-timeouts -X|--read-implies-exec \
    -Z|--mmap-page-zero --list -v|--verbose --show?=data --uname-2.6 -p|--pid=num";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "setarch",
        "setarch(8) util-linux 2.39, compared with 2.38",
        "",
        "",
    )
    .also(SETARCH)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--list", "--show"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Transparent,
                Act::RunsStdin("shell"),
            ],
        },
    ])
    .otherwise(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    .subs(&[
        wraps(
            "\
                x86_64 linux32 linux64 i386 i486 i586 i686 athlon ia64 ppc ppc32 ppc64 ppcle ppc32le \
                ppc64le s390 s390x parisc parisc32 parisc64 alpha alphaev5 alphaev56 alphaev6 alphaev67 \
                sparc sparc64 sparc32 sparc32bash mips mips32 mips64 armv6l armv7l armv8l armh arm aarch64 \
                riscv32 riscv64 loongarch64 uname26",
            "setarch(8) util-linux 2.39, compared with 2.38",
            "",
            "",
        )
        .also(SETARCH)
        .rules(&[
            Rule {
                when: &[
                    Condition::Operands(0, 0),
                ],
                acts: &[
                    Act::Transparent,
                    Act::RunsStdin("shell"),
                    Act::Stop,
                ],
            },
            Rule {
                when: &[
                ],
                acts: &[
                    Act::Wraps(0),
                ],
            },
        ])
        ,
    ])
    ,
    wraps(
        "i386 linux32 linux64 x86_64 i686 aarch64 armv7l uname26",
        "setarch(8) util-linux 2.39, compared with 2.38",
        "",
        "",
    )
    .also(SETARCH)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--list", "--show"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::Transparent,
                Act::RunsStdin("shell"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    ,
];
