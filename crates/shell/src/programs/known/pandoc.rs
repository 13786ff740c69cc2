// Generated from knowledge/programs/pandoc.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    works(
        "pandoc",
        "pandoc(1) 3.1",
        "\
            -f|--from|-r|--read=data -t|--to|-w|--write=data -o|--output=write -s|--standalone --toc \
            --table-of-contents -N|--number-sections -V|--variable=data -M|--metadata=data \
            --metadata-file=read --template=read -F|--filter=prog -L|--lua-filter=file:lua \
            --pdf-engine=prog --pdf-engine-opt=data -c|--css=data -H|--include-in-header=read \
            -B|--include-before-body=read -A|--include-after-body=read --reference-doc=read \
            --bibliography=read --csl=read -C|--citeproc --extract-media=dir --wrap=data --columns=num \
            --self-contained --embed-resources --highlight-style=data --mathjax?=data --resource-path=data \
            --data-dir=read -d|--defaults=read --list-input-formats --list-output-formats \
            --shift-heading-level-by=num --verbose --quiet -i --log=write --atx-headers \
            --markdown-headings=data --reference-links --syntax-definition=read --slide-level=num",
        "read*",
    )
    .taken_over()
    ,
];
