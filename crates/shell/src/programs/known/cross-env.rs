// Generated from knowledge/programs/cross-env.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    wraps(
        "cross-env env-cmd cross-env-shell",
        "cross-env, env-cmd --help 10.1, 11.0",
        "\
            -e|--environments=data -f|--file=read --fallback -h|--help --no-override -r=read --recursive \
            --silent --use-shell -v|--version --verbose -x|--expand-envs",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Value(&["-f"], &["*.js", "*.cjs", "*.mjs"]),
            ],
            acts: &[
                Act::Value("-f", Role::File("javascript")),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-r"], &["*.js", "*.cjs", "*.mjs"]),
            ],
            acts: &[
                Act::Value("-r", Role::File("javascript")),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["cross-env-shell"]),
            ],
            acts: &[
                Act::WrapsShell(0),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::WrapsWith(0, &Wrapping {
                        assignments: true,
                        chdir: "",
                        program: "",
                    }),
            ],
        },
    ])
    ,
];
