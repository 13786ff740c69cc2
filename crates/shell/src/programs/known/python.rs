// Generated from knowledge/programs/python.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "python python2 python3 pypy pypy3 ipython jython micropython py",
        "python(1) 3.12",
        "\
            -b -B -c=data -d -E -h -i -I -m=data -O -OO -P -q -s -S -u -v -V -VV --version -W=data -x \
            -X=data --check-hash-based-pycs=data --help-env -3",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::interpreters::python),
            ],
        },
    ])
    .taken_over()
    ,
];
