// Generated from knowledge/programs/md5sum.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum sum cksum shasum md5 sha256 \
            xxhsum crc32",
        "cksum(1) coreutils 9.4",
        "\
            -b|--binary -c|--check -t|--text -z|--zero --tag --ignore-missing --quiet --status --strict \
            -w|--warn -q -r -s=data -a|--algorithm=data -l|--length=num --untagged --raw --base64 --debug",
        "read*",
    )
    .taken_over()
    ,
];
