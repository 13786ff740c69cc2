// Generated from knowledge/programs/chmod.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "chmod gchmod zf_chmod",
        "chmod(1) coreutils 9.4, compared with 9.1",
        "\
            -c|--changes -f|--silent|--quiet -v|--verbose --no-preserve-root --preserve-root \
            --reference=look -R|--recursive -h -H -L -P -N -E -C -r -w -x -s -t -X -u -g -o -a -rw -rx -wx \
            -rwx",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::coreutils::chmod),
            ],
        },
    ])
    ,
];
