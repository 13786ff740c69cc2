// Generated from knowledge/programs/elvish.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "nu es rc oil osh ysh ion murex",
        "fish(1) and kin",
        "-c|--commands=data -n -l -i -x -e",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-c"], &["*"]),
            ],
            acts: &[
                Act::Transparent,
                Act::ShellText("-c"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-n"]),
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
                Act::Interprets("shell", &[]),
            ],
        },
    ])
    .taken_over()
    ,
    wraps(
        "elvish",
        "elvish(1) 0.19",
        "\
            -buildinfo -c=data -compileonly -deprecation-level=num -help -i -json -log=write -lsp -norc \
            -rc=file -version",
        "",
    )
    .style(Style::Word)
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-c"], &["*"]),
            ],
            acts: &[
                Act::Transparent,
                Act::ShellText("-c"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-help", "-version", "-buildinfo"]),
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
                Act::Interprets("shell", &[]),
            ],
        },
    ])
    ,
    wraps(
        "xonsh",
        "xonsh(1) 0.13",
        "\
            -c=data --cache-everything -D=env -h|--help -i|--interactive -l|--login --no-rc \
            --no-script-cache --rc=file --shell-type=data --timings -V",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-c"], &["*"]),
            ],
            acts: &[
                Act::Transparent,
                Act::ShellText("-c"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-h", "-V"]),
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
                Act::Interprets("shell", &[]),
            ],
        },
    ])
    ,
];
