// Generated from knowledge/programs/systemd-run.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "systemd-run",
        "systemd-run(1) 255",
        "\
            --no-ask-password --scope -u|--unit=data -p|--property=data --description=data --slice=data \
            --slice-inherit --expand-environment=data -r|--remain-after-exit --send-sighup \
            --service-type=data --uid=data --gid=data --nice=num --working-directory=data -d|--same-dir \
            -E|--setenv=data -t|--pty -P|--pipe -q|--quiet --on-active=data --on-boot=data \
            --on-startup=data --on-unit-active=data --on-unit-inactive=data --on-calendar=data \
            --on-clock-change --on-timezone-change --path-property=data --timer-property=data \
            --socket-property=data --no-block --wait -G|--collect -S|--shell --user --system \
            -H|--host=host -M|--machine=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::wrappers::systemd_run),
            ],
        },
    ])
    .taken_over()
    ,
];
