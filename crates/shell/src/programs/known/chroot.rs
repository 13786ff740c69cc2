// Generated from knowledge/programs/chroot.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "chroot",
        "chroot(8) coreutils 9.4, compared with 9.1",
        "--groups=data --userspec=data --skip-chdir -u=data -g=data -G=data -n",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "changes the root folder"),
                Act::Transparent,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 1),
            ],
            acts: &[
                Act::RunsStdin("shell"),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::RunsInside(1, ""),
            ],
        },
    ])
    ,
];
