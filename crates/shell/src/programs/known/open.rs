// Generated from knowledge/programs/open.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "\
            open xdg-open start gnome-open sensible-browser code cursor subl mate idea gimp firefox \
            chromium google-chrome evince eog feh display vlc mpv mplayer rhythmbox nautilus",
        "xdg-open(1) 1.1",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUrls("https", Direction::Both),
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["-*", "*://*"], after: &[] }, Role::Read),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--install-extension"]),
                Condition::Program(&["code", "cursor"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["1"], fits: &[], except: &[], after: &[] },
                    "marketplace.visualstudio.com", &[], &[], false),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["--install-extension=*"]),
                Condition::Program(&["code", "cursor"]),
            ],
            acts: &[
                Act::Installs(Pick { at: &["0"], fits: &[], except: &[], after: &[] },
                    "marketplace.visualstudio.com", &[], &[], false),
            ],
        },
    ])
    .taken_over()
    ,
];
