// Generated from knowledge/programs/column.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "\
            column col colrm colcrt ul look strings ts sponge-less vis unvis cat-v rs lam ansi2txt aha \
            lolcat ccze figlet toilet pv antiword fortune banner",
        "column(1) util-linux 2.39",
        "\
            -t|--table -s|--separator=data -n|--table-name=data -o|--output-separator=data \
            -c|--output-width=num -x|--fillrows -J|--json -N|--table-columns=data -R|--table-right=data \
            -T|--table-truncate=data -H|--table-hide=data -e|--table-header-repeat -d|--table-noheadings \
            -L|--keep-empty-lines -W|--table-wrap=data -E=data -O|--table-order=data -r|--tree=data \
            -i|--tree-id=data -p|--tree-parent=data -b -f -h -a -l=num -w=num -A",
        "read*",
    )
    .prints(Output::Filtered)
    .taken_over()
    ,
    reads(
        "iconv",
        "iconv(1) glibc 2.39",
        "\
            -f|--from-code=data -t|--to-code=data -l|--list -c -o|--output=write -s|--silent --verbose \
            --byte-subst=data --widechar-subst=data --unicode-subst=data",
        "read*",
    )
    .prints(Output::Filtered)
    .taken_over()
    ,
];
