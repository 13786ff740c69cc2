// Generated from knowledge/programs/setpriv.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "setpriv",
        "setpriv(1) util-linux 2.39, compared with 2.38",
        "\
            -d|--dump --clear-groups --groups=data --inh-caps=data --ambient-caps=data --bounding-set=data \
            --keep-groups --init-groups --list-caps --no-new-privs|--nnp --pdeathsig=data --ptracer=data \
            --rgid=data --egid=data --regid=data --ruid=data --euid=data --reuid=data --reset-env \
            --securebits=data --selinux-label=data --apparmor-profile=data --landlock-access=data \
            --landlock-rule=data --seccomp-filter=read",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-d", "--list-caps"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
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
