// Generated from knowledge/programs/emacs.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const EMACS: &str = "\
    -eval|-execute|-e|-f|-funcall|--funcall=lang:elisp \
    --ev|--eva|--eval|--ex|--exe|--exec|--execu|--execut|--execute=lang:elisp \
    -l|--load|-load|--script|-script|-L=file:elisp --version";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "emacs xemacs mg zile",
        "emacs(1) 29",
        "",
        "data*",
    )
    .also(EMACS)
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
        Rule {
            when: &[
                Condition::Contains(&["--user="]),
                Condition::Program(&["emacs", "xemacs"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "loads the settings of another user, which are code"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["emacs", "xemacs"]),
                Condition::Word(&["-u", "--user"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "loads the settings of another user, which are code"),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["mg"]),
                Condition::Word(&["-b", "-u"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "runs the commands of a file"),
            ],
        },
    ])
    .taken_over()
    ,
    works(
        "emacsclient",
        "emacsclient(1) 29",
        "\
            -a|--alternate-editor=sh -s|--socket-name=data -F|--frame-parameters=data -T|--tramp=data \
            -d|--display=data",
        "data*",
    )
    .also(EMACS)
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
];
