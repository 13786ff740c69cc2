// Generated from knowledge/programs/yq.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "yq",
        "yq --help 4.47 in Go, 3.1 in Python",
        "\
            -0|--nul-output -C|--colors -c|--yaml-compact-seq-indent --csv-auto-parse?=data \
            --csv-separator=data --debug-node-info -e|--exit-status --explicit-end --explicit-start \
            --expression=data -f|--file|--front-matter=read --from-file=read --header-preprocess?=data \
            -I|--indent=num -i|--inplace|--in-place --indentless-lists|--indentless -j|--tojson \
            --lua-globals --lua-prefix=data --lua-suffix=data --lua-unquoted -M|--no-colors \
            --max-expansion-factor=num -N|--no-doc -n|--null-input --no-expand-aliases \
            -o|--output-format=data -P|--prettyPrint -p|--input-format=data --properties-array-brackets \
            --properties-separator=data -r|--raw-output|--unwrapScalar?=data -S|--sort-keys \
            -s|--split-exp=data --security-disable-env-ops --security-disable-file-ops \
            --shell-key-separator=data --split-exp-file=read --stream --string-interpolation?=data \
            --tsv-auto-parse?=data --tsv-separator=data -v|--verbose -w|--width=num \
            --xml-attribute-prefix=data --xml-content-name=data --xml-directive-name=data \
            --xml-keep-namespace?=data --xml-proc-inst-prefix=data --xml-raw-token?=data \
            --xml-skip-directives --xml-skip-proc-inst --xml-strict-mode \
            -Y|--yaml-roundtrip|--yml-roundtrip -y|--yaml-output|--yml-output \
            --yaml-fix-merge-anchor-to-spec --yaml-output-grammar-version|--yml-out-ver=data",
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
        Rule {
            when: &[
                Condition::Has(&["-s", "--split-exp-file"]),
            ],
            acts: &[
                Act::Acts,
                Act::BeyondPlain,
                Act::WritesFile("."),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-i"]),
                Condition::Has(&["--expression", "--from-file"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Operand(0, false, Role::InPlace),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["--expression", "--from-file"]),
                Condition::Lacks(&["-i"]),
                Condition::Operands(2, usize::MAX),
            ],
            acts: &[
                Act::Operand(0, false, Role::Read),
            ],
        },
    ])
    ,
    reads(
        "tomlq xq",
        "xq --help, tomlq --help yq 3.1 in Python",
        "\
            -C -c -e -f|--from-file=read -i|--in-place -j -M -n -r|--raw-output -S -s -t|--toml-output \
            -w|--width=num -x|--xml-output --xml-dtd --xml-force-list=data --xml-root=data \
            -Y|--yaml-roundtrip -y|--yaml-output",
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
    ,
    reads(
        "dasel",
        "dasel --help of each command 2.6",
        "\
            --colour|--color --csv-comma=data --csv-comment=data --csv-crlf --csv-write-comma=data \
            --escape-html -f|--file=read --indent=num -m|--multiple -o|--out=write -p|--parser=data \
            --plain --pretty?=data -r|--read=data -s|--selector=data -t|--type=data -v|--value=data \
            --value-file=read -w|--write=data",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::First(&["put", "delete"]),
                Condition::Lacks(&["-o"]),
            ],
            acts: &[
                Act::Value("-f", Role::InPlace),
            ],
        },
    ])
    ,
    reads(
        "gron",
        "gron(1) 0.7",
        "\
            -c|--colorize -j|--json -k|--insecure -m|--monochrome --no-sort -s|--stream -u|--ungron \
            -v|--values",
        "source",
    )
    .prints(Output::Filtered)
    ,
    reads(
        "jo",
        "jo(1) 1.9",
        "-a -B -b -D -d=data -e -f=read -n -p -s -V -v",
        "data*",
    )
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::ReadsAfter(&["=@", "=%", "=:", ":="]),
            ],
        },
    ])
    ,
    reads(
        "fx jless",
        "fx --help 31",
        "-r -s -v|--version",
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
