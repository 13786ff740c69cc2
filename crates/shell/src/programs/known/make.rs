// Generated from knowledge/programs/make.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const MAKE: &str = "\
    -b -m -B|--always-make -C|--directory=data -d --debug?=data -e|--environment-overrides -E|--eval=data \
    -f|--file|--makefile=data -h|--help -i|--ignore-errors -I|--include-dir=choose -j?=num --jobs?=num \
    --jobserver-style=data --jobserver-fds=data --jobserver-auth=data -k|--keep-going -l?=num \
    --load-average?=num -L|--check-symlink-times -n|--just-print|--dry-run|--recon \
    -o|--old-file|--assume-old=data -O?=data --output-sync?=data -p|--print-data-base -q|--question \
    -r|--no-builtin-rules -R|--no-builtin-variables -s|--silent|--quiet --no-silent \
    -S|--no-keep-going|--stop --shuffle?=data -t|--touch --trace -v|--version -w|--print-directory \
    --no-print-directory -W|--what-if|--new-file|--assume-new=data --warn-undefined-variables";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "make gmake mingw32-make",
        "make(1) GNU make 4.3, newer options too",
        "",
        "",
    )
    .also(MAKE)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::build::make),
            ],
        },
    ])
    ,
    works(
        "colormake",
        "colormake(1) 0.9",
        "--short",
        "",
    )
    .also(MAKE)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::build::make),
            ],
        },
    ])
    ,
    works(
        "remake",
        "remake(1) 4.3",
        "\
            -c|--search-parent -!|--post-mortem -P?=data --profile?=data --profile-directory=dir --targets \
            --tasks -x?=data --trace?=data -X?=data --debugger?=data",
        "",
    )
    .also(MAKE)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::build::make),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-X", "-!", "--debugger"]),
            ],
            acts: &[
                Act::RunsStdin("shell"),
            ],
        },
    ])
    ,
    works(
        "bmake",
        "bmake(1) 20200710",
        "\
            -B -C=data -D=data -d=data -e -f=data -I=choose -i -J=data -j=num -k -m=choose -n -N -q -r -S \
            -s -T=append -t -V=data -v=data -W -w -X",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::PickedBare(Pick { at: &["-V"], fits: &[], except: &[], after: &[":!"] },
                    Role::Shell, ["", "!}"]),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&[":!"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs a command in a modifier of a variable"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::build::make),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-v", "-V"]),
            ],
            acts: &[
                Act::Acts,
                Act::RunsProject("Makefile", ""),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-d"], &["*F*"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
    ])
    ,
];
