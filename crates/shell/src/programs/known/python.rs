// Generated from knowledge/programs/python.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "python python2 python3 pypy pypy3",
        "python(1) 3.12, compared with 3.11",
        "\
            -b -B -c=data -d -E -h|--help -? -i -I -m=data -O -OO -P -q -s -S -u -v -V|--version -VV \
            -W=data -x -X=data --check-hash-based-pycs=data --help-all --help-env --help-xoptions -3 \
            -Q=data -R -t",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-X"], &["presite=*", "pycache_prefix=*"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-h", "-?", "--help-all", "--help-env", "--help-xoptions"]),
                Condition::Lacks(&["-c", "-m"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::interpreters::python),
            ],
        },
    ])
    ,
    works(
        "ipython jython micropython py",
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
