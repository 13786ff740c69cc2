// Generated from knowledge/programs/p7zip.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "7z 7za 7zr p7zip rar unrar unar lsar arj lha cabextract zpaq",
        "7z(1) 16.02, unrar(1) 6.2",
        "-o?=data -sdel -df",
        "data*",
    )
    .style(Style::LenientWord)
    .rules(&[
        Rule {
            when: &[
                Condition::Word(&["-spf", "-spf2"]),
            ],
            acts: &[
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["l", "t", "v", "vt", "lt", "lb", "p", "i", "h", "b"]),
                Condition::Has(&["-o", "-sdel", "-df"]),
            ],
            acts: &[
                Act::Acts,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["l", "t", "v", "vt", "lt", "lb", "p", "i", "h", "b"]),
            ],
            acts: &[
                Act::OnlyReads,
                Act::Operand(1, false, Role::Read),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["x", "e"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Read),
                Act::Prints(Output::Decoded),
                Act::WritesFile("{-o|.}"),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["a", "u", "m", "f", "c", "d", "rn"]),
            ],
            acts: &[
                Act::Operand(1, false, Role::Write),
                Act::Picked(Pick { at: &["2.."], fits: &["@*"], except: &[], after: &["@"] }, Role::File("names")),
                Act::Picked(Pick { at: &["2.."], fits: &["@*"], except: &[], after: &["@"] }, Role::Read),
                Act::Operand(2, true, Role::Tree),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["a", "u", "f", "c", "d", "rn"]),
                Condition::Has(&["-sdel", "-df"]),
            ],
            acts: &[
                Act::DeletesOperand(2, true, &["always"], &["always"]),
            ],
        },
        Rule {
            when: &[
                Condition::First(&["m"]),
            ],
            acts: &[
                Act::DeletesOperand(2, true, &["always"], &["always"]),
            ],
        },
        Rule {
            when: &[
                Condition::FirstNot(&["a", "u", "m", "f", "c", "d", "rn"]),
            ],
            acts: &[
                Act::Operand(0, true, Role::Read),
                Act::WritesFile("."),
            ],
        },
    ])
    .taken_over()
    ,
];
