// Generated from knowledge/programs/locale.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "locale localedef",
        "locale(1) glibc 2.39",
        "-a|--all-locales -m|--charmaps -c|--category-name -k|--keyword-name -v|--verbose",
        "data*",
    )
    .taken_over()
    ,
];
