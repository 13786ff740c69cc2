// Generated from knowledge/programs/trash.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "\
            trash trash-put gio-trash rmtrash rimraf rimraf-cli del del-cli trash-cli rm-cli premove",
        "trash-put(1) 0.24",
        "-r|-R|--recursive -f|--force -v|--verbose -i -d --trash-dir=dir",
        "delete*",
    )
    .taken_over()
    ,
];
