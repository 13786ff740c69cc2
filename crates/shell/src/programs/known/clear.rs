// Generated from knowledge/programs/clear.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            clear reset tput tset resize locale-gen-read xclip xsel pbcopy pbpaste wl-copy wl-paste \
            notify-send say wall write mesg xdotool xprop xwininfo wmctrl scrot screencapture \
            import-screen beep espeak spd-say pactl amixer alsamixer playerctl setterm kbd_mode",
        "tput(1) ncurses 6.4",
        "",
        "data*",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["type", "key"]),
                Condition::Program(&["xdotool"]),
            ],
            acts: &[
                Act::RunsCode(Pick { at: &["1.."], fits: &[], except: &["--*"], after: &[] }, ""),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["xclip"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["-*", "clipboard", "primary",
                    "secondary", "buffer-cut", "clip", "prim", "sec", "c", "p", "s", "b"], after: &[] },
                    Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Operands(1, usize::MAX),
                Condition::Program(&["xdotool", "wall", "write"]),
            ],
            acts: &[
                Act::Works,
            ],
        },
    ])
    .taken_over()
    ,
];
