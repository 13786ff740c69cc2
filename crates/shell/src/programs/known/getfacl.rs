// Generated from knowledge/programs/getfacl.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "getfacl",
        "getfacl(1) 2.3",
        "\
            -a|--access -c|--omit-header -d|--default -E|--no-effective -e|--all-effective -h|--help \
            -L|--logical -n|--numeric -P|--physical -p|--absolute-names -R|--recursive -s|--skip-base \
            -t|--tabular -v|--version",
        "look*",
    )
    ,
    reads(
        "getfattr",
        "getfattr(1) 2.5",
        "\
            --absolute-names -d|--dump -e|--encoding=data -h|--no-dereference -L|--logical -m|--match=pat \
            -n|--name=data --only-values -P|--physical -R|--recursive",
        "look*",
    )
    ,
    reads(
        "lsattr",
        "lsattr(1) e2fsprogs 1.47",
        "-a -d -l -p -R -V -v",
        "look*",
    )
    ,
];
