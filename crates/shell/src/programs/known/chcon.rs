// Generated from knowledge/programs/chcon.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "chcon setfattr",
        "setfattr(1) 2.5",
        "\
            -b -d|--default -k -m|--modify=data -M=read -n -R|--recursive -s -x|--remove=data -X=read \
            --set=data --restore=read --test -t|--type=data -u|--user=data -r|--role=data -l|--range=data \
            -v|--verbose --reference=look -L|--logical -P|--physical -h --name=data",
        "meta*",
    )
    .taken_over()
    ,
];
