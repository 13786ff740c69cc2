// Generated from knowledge/programs/rename.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "rename prename file-rename perl-rename mmv krename vidir",
        "rename(1) util-linux 2.39",
        "\
            -v|--verbose -n|--no-act|--nono -f|--force -e=lang:perl -0|--null -d|--filename --fullpath \
            -s|--symlink -o|--no-overwrite -i|--interactive -a|--all -l|--last -u=data",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::text::rename),
            ],
        },
    ])
    .taken_over()
    ,
];
