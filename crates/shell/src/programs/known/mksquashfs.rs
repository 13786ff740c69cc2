// Generated from knowledge/programs/mksquashfs.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "mksquashfs unsquashfs genisoimage mkisofs xorriso",
        "mksquashfs(1) 4.6",
        "\
            -o=write -R -J -r -V=data -comp=data -noappend -d=write -f -l -ll -s -e=data -b=data -n",
        "read write",
    )
    .style(Style::Word)
    .taken_over()
    ,
];
