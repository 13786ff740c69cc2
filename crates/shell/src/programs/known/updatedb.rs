// Generated from knowledge/programs/updatedb.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "updatedb",
        "updatedb(8) plocate 1.1.18, with the options of mlocate 0.26",
        "\
            -f|--add-prunefs=data -n|--add-prunenames=data -e|--add-prunepaths|--add-single-prunepath=data \
            -U|--database-root=look --debug-pruning -o|--output=write --prune-bind-mounts=data \
            --prunefs=data --prunenames=data --prunepaths=data -l|--require-visibility=data -v|--verbose",
        "",
    )
    ,
];
