// Generated from knowledge/programs/cal.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "cal ncal gcal",
        "cal(1) util-linux 2.39",
        "\
            -# -1 -3 -A=num -B=num -n|--months=num -s|--sunday -m=data --monday -S|--span -j|--julian \
            -y|--year -Y|--twelve -w --week?=num -h -b -C -N -M -o -p --color?=data --reform=data --iso \
            -d=data -H=data -e -J",
        "data*",
    )
    .taken_over()
    ,
];
