// Generated from knowledge/programs/lxc-execute.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "lxc-execute lxc-attach machinectl-shell systemd-nspawn",
        "systemd-nspawn(1) 255",
        "\
            -n|--name=data -D|--directory=data -M|--machine=data -i|--image=data -b|--boot -u|--user=data \
            --bind=data --bind-ro=data -q|--quiet --private-network -x|--ephemeral --as-pid2 \
            -E|--setenv=data --chdir=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "enters a container"),
                Act::Transparent,
                Act::RunsInsideOf(0, &["-n", "-D", "-M"]),
            ],
        },
    ])
    .taken_over()
    ,
];
