// Generated from knowledge/programs/gzip.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const GZIP: &str = "\
    -# -a|--ascii -c|--stdout|--to-stdout -d|--decompress|--uncompress -f|--force -h -k|--keep -l|--list \
    -L|--license -n|--no-name -N|--name -q|--quiet -r|--recursive --rsyncable -S|--suffix=data \
    --synchronous -t|--test -v|--verbose -z|--compress -s|--small --best --fast -T|--threads=num \
    -M|--memory=data -F|--format=data -C|--check=data -e|--extreme --rm -o=write -D=read -b=num -p=num -i \
    -R --long?=num --ultra --adapt?=data --no-progress --files=read --files0=read --single-stream \
    --keep-broken";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    named(
        "\
            gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 unlz4 lzip lzop compress \
            uncompress pigz unpigz pbzip2 pixz brotli lbzip2 plzip pzstd",
        "gzip(1) 1.12, xz(1) 5.4",
        "",
        "",
    )
    .also(GZIP)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::archives::compress),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "\
            zcat gzcat bzcat xzcat lzcat zstdcat lz4cat zdiff zcmp bzdiff xzdiff uncompress-cat funzip",
        "zcat(1) gzip 1.12",
        "",
        "read*",
    )
    .also(GZIP)
    .prints(Output::Decoded)
    .taken_over()
    ,
];
