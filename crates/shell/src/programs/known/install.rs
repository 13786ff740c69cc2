// Generated from knowledge/programs/install.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "install ginstall",
        "install(1) coreutils 9.1",
        "\
            -c -C|--compare -d|--directory -D -g|--group=data -m|--mode=data -o|--owner=data \
            -p|--preserve-timestamps -s|--strip --strip-program=prog -t|--target-directory=data \
            -T|--no-target-directory -v|--verbose --preserve-context -Z --context?=data -b --backup?=data \
            -S|--suffix=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Mode("-m"),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-d"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Copies(&Copying {
                        kind: Copies::Content,
                        into: &["-t"],
                        whole: &[],
                        pick: Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                    }),
            ],
        },
    ])
    ,
];
