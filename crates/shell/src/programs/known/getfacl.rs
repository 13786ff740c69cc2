// Generated from knowledge/programs/getfacl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "getfacl getfattr lsattr",
        "getfacl(1) 2.3",
        "\
            -a -c -d -e -n -m=data -p -R|--recursive -t -s -E -L -P -h|--no-dereference -v -l -D \
            --only-values --absolute-names -x",
        "look*",
    )
    .taken_over()
    ,
];
