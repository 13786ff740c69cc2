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
            ],
            acts: &[
                Act::Rust(crate::programs::processes::terminal),
            ],
        },
    ])
    .taken_over()
    ,
];
