// Generated from knowledge/programs/cmakelint.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            cmakelint compdb bear-read ninja-query gcov lcov-summary readtags semver checkbashisms \
            desktop-file-validate xmlwf jsonlint json_pp json_reformat json_xs plutil-lint nproc-build \
            uuidgen uuid mcookie",
        "uuidgen(1) util-linux 2.39",
        "",
        "data*",
    )
    .style(Style::Raw)
    .taken_over()
    ,
];
