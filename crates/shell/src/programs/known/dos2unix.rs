// Generated from knowledge/programs/dos2unix.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "dos2unix unix2dos mac2unix todos fromdos flip",
        "dos2unix(1) 7.5",
        "\
            -# -a -b -c=data -d -e -f|--force -h -i?=data -k|--keepdate -l|--newline -m|--add-bom \
            -n|--newfile -o|--oldfile -q|--quiet -r|--remove-bom -s|--safe -u -v|--verbose \
            -F|--follow-symlink -S -R",
        "inplace*",
    )
    .taken_over()
    ,
];
