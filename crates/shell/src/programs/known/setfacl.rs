// Generated from knowledge/programs/setfacl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "setfacl",
        "setfacl(1) 2.3.1",
        "\
            -b|--remove-all -d|--default -k|--remove-default -m|--modify=data -M|--modify-file=read \
            -n|--no-mask -h|--help -v|--version -R|--recursive -x|--remove=data -X|--remove-file=read \
            --set=data --set-file=read --restore=read --test --mask -L|--logical -P|--physical",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["--restore"]),
                Condition::Lacks(&["--test"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "gives files the owners, modes and lists that a file says"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--test"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(0, true, Role::Look),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, true, Role::Meta),
                Act::Mode("-m"),
                Act::Mode("--set"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-M", "--set-file"], &["-"]),
            ],
            acts: &[
                Act::Finding("shell.privilege", "takes rights from standard input"),
            ],
        },
    ])
    ,
];
