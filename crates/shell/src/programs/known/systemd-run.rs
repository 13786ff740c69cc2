// Generated from knowledge/programs/systemd-run.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "systemd-run",
        "systemd-run(1) 255, compared with 252",
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
                Condition::Value(&["-p"], &["Standard*=file:*", "Standard*=append:*", "Standard*=truncate:*"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "writes a file that a property of the unit names"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-p"], &["Environment=*LD_*", "EnvironmentFile=*", "RootDirectory=*",
                        "RootImage=*", "PAMName=*", "BindPaths=*"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "sets up what is run by a property of the unit"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-p"], &["Exec*=*"]),
            ],
            acts: &[
                Act::PickedBare(Pick { at: &["-p"], fits: &["Exec*=*"], except: &[], after: &["="] },
                    Role::Program, ["-@+!:", ""]),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--on-active", "--on-boot", "--on-startup", "--on-unit-active",
                        "--on-unit-inactive", "--on-calendar"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "makes systemd run something later"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--on-clock-change", "--on-timezone-change", "--path-property",
                        "--timer-property", "--socket-property"]),
            ],
            acts: &[
                Act::Finding("shell.persistence", "makes systemd run something later"),
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["--user"]),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Root, "runs as a system unit"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-S"]),
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
