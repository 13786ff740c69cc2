// Generated from knowledge/programs/nm.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "nm objdump readelf size pahole lddtree otool dwarfdump file-info addr2line c++filt",
        "objdump(1) binutils 2.42",
        "",
        "",
    )
    .style(Style::Raw)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ContactsUrls("https", Direction::Fetch),
                Act::Picked(Pick { at: &["0.."], fits: &[], except: &["-*", "*://*"], after: &[] }, Role::Read),
                Act::Picked(Pick { at: &["0.."], fits: &["--o*=*"], except: &[], after: &["="] }, Role::Write),
            ],
        },
    ])
    .taken_over()
    ,
];
