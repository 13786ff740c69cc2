// Generated from knowledge/programs/mv.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "mv gmv zf_mv",
        "mv(1) coreutils 9.1",
        "\
            -f|--force -i|--interactive -n|--no-clobber --no-copy --strip-trailing-slashes \
            -t|--target-directory=data -T|--no-target-directory -u --update?=data -v|--verbose \
            -Z|--context --exchange --debug -h -b --backup?=data -S|--suffix=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Copies(&Copying {
                        kind: Copies::Move,
                        into: &["-t"],
                        whole: &[],
                        pick: Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                    }),
            ],
        },
    ])
    ,
];
