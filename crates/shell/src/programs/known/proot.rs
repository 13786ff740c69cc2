// Generated from knowledge/programs/proot.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "proot",
        "proot(1) 5.4, compared with 5.1",
        "\
            -r|--rootfs=data -b|--bind|-m|--mount=data -q|--qemu=prog -w|--pwd|--cwd=data -0|--root-id \
            -i|--change-id=data -k|--kernel-release=data -p -n -l|--link2symlink -v|--verbose=num \
            -V|--version|--about -h|--help|--usage -R=data -S=data --kill-on-exit",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-V", "-h"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-b"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::RunsStdin("shell"),
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
