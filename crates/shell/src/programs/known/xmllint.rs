// Generated from knowledge/programs/xmllint.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            xmllint xpath xml xmlstarlet tidy html2text pup htmlq w3m-dump pdfinfo exiftool-read mediainfo \
            identify ffprobe",
        "xmllint(1) 2.12",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["-*", "//*", "*␣*", "*(*",
                    "*{*", "*$*", "*://*"], after: &[] }, Role::Read),
                Act::ContactsUrls("https", Direction::Fetch),
                Act::Picked(Pick { at: &[">-o", ">--output", ">--out", ">-O", ">-modify"], fits: &[],
                    except: &[], after: &[] }, Role::Write),
                Act::Picked(Pick { at: &["0.."], fits: &["--o*=*"], except: &[], after: &["="] }, Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-I", "-i", "--in-place"]),
                Condition::Program(&["tidy"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::First(&["ed", "edit"]),
                Condition::Operand(&["-L", "--inplace"]),
                Condition::Program(&["xmlstarlet", "xml"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["last"], fits: &[], except: &[], after: &[] }, Role::InPlace),
            ],
        },
    ])
    .taken_over()
    ,
];
