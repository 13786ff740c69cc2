// Generated from knowledge/programs/csvcut.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            csvcut csvgrep csvstat csvlook csvsort csvjoin csvstack csvjson in2csv csvsql-look xsv qsv xan \
            datamash tv visidata",
        "csvkit 1.3, mlr(1) 6",
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
                Act::Picked(Pick { at: &[">-o", ">--output", ">--out", ">-O"], fits: &[],
                    except: &[], after: &[] }, Role::Write),
                Act::Picked(Pick { at: &["0.."], fits: &["--o*=*"], except: &[], after: &["="] }, Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Program(&["visidata"]),
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["*system(*", "*exec(*", "*|␣\"*",
                    "*shell(*"], except: &[], after: &[] }, Role::Lang("awk")),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "mlr miller",
        "mlr(1) 6",
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
                Act::Picked(Pick { at: &["0.."], fits: &["--o*=*"], except: &[], after: &["="] }, Role::Write),
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["-I", "-i", "--in-place"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
                Condition::Operand(&["tee", "split", "case", "*>␣\"*", "*>␣$*", "*tee␣>*"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Picked(Pick { at: &["0.."], fits: &["*system(*", "*exec(*", "*|␣\"*",
                    "*shell(*"], except: &[], after: &[] }, Role::Lang("awk")),
            ],
        },
    ])
    .taken_over()
    ,
];
