// Generated from knowledge/programs/yq.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "yq dasel tomlq xq fx gron jless jo",
        "yq(1) 4.40",
        "\
            -i|--inplace|--in-place -r|--raw-output|--unwrapScalar?=data -o|--output-format=data \
            -p|--input-format=data -P|--prettyPrint -n|--null-input -C|--colors -M|--no-colors \
            -e|--exit-status -s|--split-exp=write -I|--indent=num -N|--no-doc -j|--tojson -y -Y -c \
            -f|--file=read --front-matter=data --from-file=read -v|--verbose --xml-attribute-prefix=data \
            --expression=data -S -u|--ungron --stream",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::text::yq),
            ],
        },
    ])
    .taken_over()
    ,
];
