// Generated from knowledge/programs/lua.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "lua texlua",
        "lua(1) 5.4.4",
        "-e=lang:lua -i -l=file:lua -E -W -v",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("lua", &["-e", "-v"]),
            ],
        },
    ])
    ,
    works(
        "luajit",
        "luajit(1) 2.1",
        "-e=lang:lua -l=file:lua -b -j=data -O?=data -i -v -E",
        "",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-b"]),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
                Act::Operand(1, false, Role::Write),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Interprets("lua", &["-e", "-v", "-b"]),
            ],
        },
    ])
    ,
    works(
        "luac",
        "luac(1) 5.4.4",
        "-l -o=write -p -s -v",
        "read*",
    )
    .style(Style::Posix)
    .rules(&[
        Rule {
            when: &[
                Condition::Has(&["-p"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::Lacks(&["-o", "-v"]),
            ],
            acts: &[
                Act::WritesFile("luac.out"),
            ],
        },
    ])
    ,
];
