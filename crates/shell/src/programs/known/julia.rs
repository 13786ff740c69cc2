// Generated from knowledge/programs/julia.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "julia",
        "julia, Command-line Interface 1.10",
        "\
            -e|--eval=lang:julia -E|--print=lang:julia -L|--load=file:julia -J|--sysimage=file \
            -H|--home=look --machine-file=config -p|--procs=data -t|--threads=data --project?=look \
            --startup-file=data --handle-signals=data --sysimage-native-code=data --compiled-modules=data \
            --pkgimages=data --banner=data --warn-overwrite=data --warn-scope=data -C|--cpu-target=data \
            --min-optlevel=num -g?=num --debug-info?=num --inline=data --math-mode=data \
            --code-coverage?=data --track-allocation?=data --bug-report=data --output-o=write \
            --output-ji=write --output-unopt-bc=write --output-bc=write --output-asm=write \
            --output-incremental=data --strip-metadata --strip-ir --trace-compile=write --image-codegen \
            -h|--help --help-hidden --history-file=data -i -q|--quiet -O?=num --optimize?=num \
            --check-bounds=data --color=data --compile=data --depwarn=data -v|--version",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("julia", &["-e", "-E", "-v", "-h", "--help-hidden"]),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["--code-coverage"], &["*.info"]),
            ],
            acts: &[
                Act::Value("--code-coverage", Role::Append),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--bug-report"]),
            ],
            acts: &[
                Act::ContactsUnknown("https", Direction::Both),
                Act::Finding("shell.remote_code", "installs and loads a package"),
            ],
        },
    ])
    ,
];
