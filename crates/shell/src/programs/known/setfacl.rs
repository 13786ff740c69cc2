// Generated from knowledge/programs/setfacl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "setfacl",
        "setfacl(1) 2.3",
        "\
            -b|--remove-all -d|--default -k|--remove-default -m|--modify=data -M|--modify-file=read \
            -n|--no-mask -R|--recursive -x|--remove=data -X|--remove-file=read --set=data --set-file=read \
            --restore=read --test --mask -L|--logical -P|--physical",
        "meta*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
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
    .taken_over()
    ,
];
