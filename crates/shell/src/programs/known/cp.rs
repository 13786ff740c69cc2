// Generated from knowledge/programs/cp.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "cp gcp",
        "cp(1) coreutils 9.4, compared with 9.1",
        "\
            -a|--archive --attributes-only --copy-contents -c -d -f|--force -i|--interactive -H -l|--link \
            -L|--dereference -n|--no-clobber --update?=data -P|--no-dereference -p --preserve?=data \
            --no-preserve=data --parents -R|-r|--recursive --reflink?=data --remove-destination \
            --sparse=data --strip-trailing-slashes -s|--symbolic-link -t|--target-directory=data \
            -T|--no-target-directory -u -v|--verbose --keep-directory-symlink -x|--one-file-system -X -Z \
            --context?=data --debug -b --backup?=data -S|--suffix=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-l"]),
            ],
            acts: &[
                Act::Copies(&Copying {
                        kind: Copies::Hard,
                        into: &["-t"],
                        whole: &["-R", "-a"],
                        pick: Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                    }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-s"]),
            ],
            acts: &[
                Act::Copies(&Copying {
                        kind: Copies::Soft,
                        into: &["-t"],
                        whole: &["-R", "-a"],
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
                        kind: Copies::Content,
                        into: &["-t"],
                        whole: &["-R", "-a"],
                        pick: Pick { at: &["0.."], fits: &[], except: &[], after: &[] },
                    }),
            ],
        },
    ])
    ,
];
