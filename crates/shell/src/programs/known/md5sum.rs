// Generated from knowledge/programs/md5sum.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const DIGEST: &str = "\
    -b|--binary -c|--check -t|--text -z|--zero --tag --ignore-missing --quiet --status --strict -w|--warn";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum",
        "md5sum(1) coreutils 9.1",
        "",
        "read*",
    )
    .also(DIGEST)
    ,
    reads(
        "b2sum",
        "b2sum(1) coreutils 9.1",
        "-l|--length=num",
        "read*",
    )
    .also(DIGEST)
    ,
    reads(
        "cksum",
        "cksum(1) coreutils 9.1",
        "-a|--algorithm=data -l|--length=num --untagged --raw --base64 --debug",
        "read*",
    )
    .also(DIGEST)
    ,
    reads(
        "sum",
        "sum(1) coreutils 9.1",
        "-r -s|--sysv",
        "read*",
    )
    ,
    reads(
        "shasum",
        "shasum(1) 6.04",
        "\
            -a|--algorithm=data -b|--binary -c|--check -t|--text -U|--UNIVERSAL -0|--01 --ignore-missing \
            -q|--quiet -s|--status --strict --tag -w|--warn -h|--help -v|--version",
        "read*",
    )
    ,
    reads(
        "b3sum md5 sha256 xxhsum crc32",
        "md5(1) FreeBSD 14",
        "-q -r -s=data -l|--length=num --raw",
        "read*",
    )
    .also(DIGEST)
    .taken_over()
    ,
];
