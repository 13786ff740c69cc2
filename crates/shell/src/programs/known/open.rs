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
                Condition::Contains(&["--utility-cmd-prefix=", "--browser-subprocess-path="]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs the program that an option names"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--load-extension=", "--extensionDevelopmentPath=", "--script=",
                        "--scripts="]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "loads the code that an option names"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--action"]),
                Condition::Program(&["feh"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs the text of an option"),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["Terminal", "Terminal.app", "iTerm", "iTerm.app"]),
                Condition::Program(&["open"]),
                Condition::Word(&["-a"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "a terminal runs the file"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["--print-to-pdf", "--screenshot", "--remote-debugging", "--sout",
                        "--dumpfile", "--stream-record="]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
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
