// Generated from knowledge/programs/setpriv.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "setpriv",
        "setpriv(1) util-linux 2.39",
        "\
            -d|--dump --clear-groups --groups=data --inh-caps=data --ambient-caps=data --bounding-set=data \
            --keep-groups --init-groups --list-caps --no-new-privs|--nnp --pdeathsig=data --ptracer=data \
            --rgid=data --egid=data --regid=data --ruid=data --euid=data --reuid=data --reset-env \
            --securebits=data --selinux-label=data --apparmor-profile=data --landlock-access=data \
            --landlock-rule=data --seccomp-filter=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Wraps(0),
            ],
        },
    ])
    .taken_over()
    ,
];
