// Generated from knowledge/programs/capsh.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "capsh",
        "capsh(1) libcap 2.66",
        "\
            --print --iab=data --inmode=data --mode?=data --drop=data --caps=data --inh=data --modes \
            --current --uid=num --gid=num --cap-uid=num --is-uid=num --is-gid=num --groups=data \
            --user=data --keep=num --secbits=num --chroot=data --shell=prog --decode=data --explain=data \
            --suggest=data --supports=data --has-p=data --has-a=data --has-b=data --has-i=data \
            --has-ambient --noamb --addamb=data --delamb=data --noenv --killit=num --forkfor=num --strict \
            --quiet --license",
        "",
    )
    .style(Style::Gnu)
    .rules(&[
        Rule {
            when: &[
                Condition::Word(&["-+", "=+"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs a command in a child of capsh"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--shell="]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "names the shell that capsh runs"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--print", "--decode", "--explain", "--suggest", "--supports",
                        "--modes", "--current", "--license"]),
                Condition::Operands(0, 0),
                Condition::Options(1, 1),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["-"]),
                Condition::Operands(0, 0),
                Condition::Options(0, 0),
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "changes capabilities"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Operands(0, 0),
                Condition::Options(0, 0),
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
                Act::Privilege(PrivilegeKind::Capability, "changes capabilities"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Privilege(PrivilegeKind::Capability, "runs a shell with other capabilities"),
                Act::Transparent,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["=="]),
            ],
            acts: &[
                Act::RunsAs("capsh", 1),
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["=="]),
            ],
            acts: &[
                Act::RunsAs("bash", AFTER_DASHES),
            ],
        },
    ])
    ,
];
