// Generated from knowledge/programs/updatedb.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "updatedb",
        "updatedb(8) mlocate 0.26",
        "\
            -o|--output=write -U|--database-root=look -e|--add-prunepaths=data \
            -l|--require-visibility=data -v|--verbose",
        "data*",
    )
    .taken_over()
    ,
];
