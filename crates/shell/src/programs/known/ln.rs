// Generated from knowledge/programs/ln.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "ln gln zf_ln",
        "ln(1) coreutils 9.1",
        "\
            -d|-F|--directory -f|--force -i|--interactive -L|--logical -n|-h|--no-dereference \
            -P|--physical -r|--relative -s|--symbolic -t|--target-directory=data -T|--no-target-directory \
            -v|--verbose -b --backup?=data -S|--suffix=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-s"]),
            ],
            acts: &[
                Act::Copies(&Copying {
                        kind: Copies::Hard,
                        into: &["-t"],
                        whole: &[],
                        pick: Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                    }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-f"]),
            ],
            acts: &[
                Act::Copies(&Copying {
                        kind: Copies::Content,
                        into: &["-t"],
                        whole: &[],
                        pick: Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                    }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Copies(&Copying {
                        kind: Copies::Soft,
                        into: &["-t"],
                        whole: &[],
                        pick: Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                    }),
            ],
        },
    ])
    ,
];
