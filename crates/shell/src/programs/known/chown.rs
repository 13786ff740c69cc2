// Generated from knowledge/programs/chown.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "chown chgrp gchown zf_chown zf_chgrp",
        "chown(1) coreutils 9.4, compared with 9.1",
        "\
            -c|--changes -f|--silent|--quiet -v|--verbose --dereference -h|--no-dereference --from=data \
            --no-preserve-root --preserve-root --reference=look -R|--recursive -H -L -P -x -n",
        "data!--reference meta*",
    )
    ,
];
