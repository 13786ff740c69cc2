// Generated from knowledge/programs/visudo.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "visudo",
        "visudo(8) 1.9.13",
        "\
            -c|--check -f|--file=data -I|--no-includes -O|--owner -P|--perms -q|--quiet -s|--strict",
        "",
    )
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-c"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Value("-f", Role::Read),
                Act::Operand(0, false, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Value("-f", Role::InPlace),
                Act::Operand(0, false, Role::InPlace),
                Act::Privilege(PrivilegeKind::Root, "edits who may become root"),
            ],
        },
    ])
    ,
];
