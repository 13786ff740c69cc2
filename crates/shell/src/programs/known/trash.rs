// Generated from knowledge/programs/trash.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "trash trash-put trash-cli",
        "trash-put(1), trash --help trash-cli 0.17 of Python, 7.2 of npm",
        "\
            -d|--directory --dot -f|--force -i|--interactive -R|-r|--recursive --trash-dir=dir \
            -v|--verbose",
        "delete*",
    )
    ,
    named(
        "gio-trash rmtrash rm-cli premove",
        "rmtrash(1) 1.15",
        "-r|-R|--recursive -f|--force -v|--verbose -i -d",
        "delete*",
    )
    .taken_over()
    ,
    named(
        "rimraf rimraf-cli",
        "rimraf --help 6.1",
        "\
            --backoff=num -G|--no-glob -g|--glob -h -I|--no-interactive -i|--interactive --impl=data \
            --max-retries=num --no-preserve-root --preserve-root --retry-delay=num --tmp=dir \
            -V|--no-verbose -v|--verbose",
        "",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::DeletesOperand(0, true, &["always"], &["always"]),
            ],
        },
    ])
    ,
    named(
        "del del-cli",
        "del --help del-cli 7.0",
        "-d|--dry-run -f|--force -v|--verbose",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-d"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(0, true, Role::Look),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::DeletesOperand(0, true, &["always"], &["always"]),
            ],
        },
    ])
    ,
];
