// Generated from knowledge/programs/gcore.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "gcore",
        "gcore(1) gdb 13",
        "-a -h|--help -o=write",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-o"]),
                Condition::Operands(1, usize::MAX),
            ],
            acts: &[
                Act::WritesFile("core"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.secret_read", "a process's memory may hold secrets"),
            ],
        },
    ])
    ,
    works(
        "coredumpctl",
        "coredumpctl(1) 252",
        "\
            -1 -A|--debugger-arguments=data --all -D|--directory=choose --debugger=prog -F|--field=data \
            --file=data -h|--help --image=choose --json=data -n=num --no-legend --no-pager \
            -o|--output=write -q|--quiet -r|--reverse --root=choose -S|--since=data -U|--until=data",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Lacks(&["-o", "--debugger", "-A"]),
                Condition::Operands(0, 0),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["list", "info"]),
                Condition::Lacks(&["-o", "--debugger", "-A"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Mentions,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-A"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "the debugger's words may run commands"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Finding("shell.secret_read", "a process's memory may hold secrets"),
            ],
        },
    ])
    ,
    works(
        "crash abrt-cli",
        "gcore(1) 14",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["list", "info"]),
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
                Act::Finding("shell.secret_read", "a process's memory may hold secrets"),
            ],
        },
    ])
    .taken_over()
    ,
];
