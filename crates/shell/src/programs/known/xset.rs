// Generated from knowledge/programs/xset.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            xset xhost xrandr xmodmap xrdb setxkbmap xbacklight gsettings dconf xinput loadkeys defaults",
        "xhost(1) 1.0",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::Operand(&["+*"]),
                Condition::Program(&["xhost"]),
            ],
            acts: &[
                Act::Finding("shell.tamper", "lets others draw on and read this display"),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["read", "get", "list-recursively", "find"]),
            ],
            acts: &[
                Act::OnlyReads,
            ],
        },
    ])
    .taken_over()
    ,
];
