// Generated from knowledge/programs/rename.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "rename prename file-rename perl-rename",
        "rename(1), file-rename(1p) util-linux 2.39, compared with 2.38, File::Rename 2.01",
        "\
            -v|--verbose -n|--no-act|--nono -f|--force -e=lang:perl -E=lang:perl -0|--null \
            -d|--filename|--nopath|--nofullpath --path|--fullpath -s|--symlink -o|--no-overwrite \
            -i|--interactive -a|--all -l|--last -u|--unicode=data -h|--help -m|--man -V|--version",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["*unlink*", "*open*", "*qx*", "*require*", "*rmdir*", "*fork*",
                        "*eval*", "*link*", "*mkdir*", "*chmod*", "*do*{*"]),
                Condition::Lacks(&["-e", "-E"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Lang("perl")),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::text::rename),
            ],
        },
    ])
    ,
    works(
        "mmv",
        "mmv(1) 2.3",
        "\
            -a -c|--copy -d|--force -g|--go -h|--hidden -l|--hardlink -m|--move -n|--dryrun -o|--overwrite \
            -p|--protect -r|--rename -s|--symlink -t|--terminate -V -v|--verbose -x|--copydel",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-n"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(0, false, Role::Look),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-c", "-l", "-s", "-o", "-a"]),
                Condition::Lacks(&["-m", "-x", "-r"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::Operand(1, false, Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Operand(0, false, Role::InPlace),
                Act::Operand(1, false, Role::Write),
                Act::Mentions,
            ],
        },
    ])
    ,
    works(
        "vidir",
        "vidir(1) moreutils 0.67",
        "-v|--verbose",
        "inplace*",
    )
    ,
    works(
        "krename",
        "krename 5",
        "",
        "inplace*",
    )
    .taken_over()
    ,
];
