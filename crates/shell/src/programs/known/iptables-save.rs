// Generated from knowledge/programs/iptables-save.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "iptables-save ip6tables-save",
        "iptables-save(8) 1.8.9",
        "-c|--counters -t|--table=data -f|--file=write -M|--modprobe=prog",
        "data*",
    )
    ,
];
