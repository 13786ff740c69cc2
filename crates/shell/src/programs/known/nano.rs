// Generated from knowledge/programs/nano.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const EDITOR: &str = "--speller?=sh --rcfile?=file:console";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "nano",
        "nano(1) 7.2",
        "-s|--speller=sh -f|--rcfile=file:console",
        "data*",
    )
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["+*"], after: &[] }, Role::Read),
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["+*"], after: &[] }, Role::InPlace),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "pico",
        "pico(1) 5",
        "-s|--speller=sh --rcfile?=file:console",
        "data*",
    )
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["+*"], after: &[] }, Role::Read),
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["+*"], after: &[] }, Role::InPlace),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "helix hx micro",
        "hx, micro(1) 24, 2.0",
        "-c|--config|-config-dir=config",
        "data*",
    )
    .also(EDITOR)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Program(&["micro"]),
                Condition::Word(&["-plugin", "--plugin"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::ContactsUnknown("https", Direction::Fetch),
                Act::Finding("shell.remote_code", "changes the editor's plug-ins"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["+*"], after: &[] }, Role::Read),
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["+*"], after: &[] }, Role::InPlace),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "kak",
        "kak(1) 2023",
        "-e=data -E=data -p=data",
        "data*",
    )
    .also(EDITOR)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["+*"], after: &[] }, Role::Read),
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["+*"], after: &[] }, Role::InPlace),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "\
            joe jed ne mcedit gedit kate kwrite leafpad mousepad notepad textedit ee jmacs acme amp-editor",
        "their manual pages",
        "",
        "data*",
    )
    .also(EDITOR)
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Program(&["jed", "jmacs"]),
                Condition::Word(&["-script", "--script", "-batch", "--batch", "-f", "-l"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "runs code of the editor's own"),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["-script=", "-script:"]),
                Condition::Program(&["jed", "jmacs"]),
            ],
            acts: &[
                Act::BeyondPlain,
                Act::Finding("shell.obfuscated", "runs code of the editor's own"),
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["+*"], after: &[] }, Role::Read),
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["+*"], after: &[] }, Role::InPlace),
            ],
        },
    ])
    .taken_over()
    ,
];
