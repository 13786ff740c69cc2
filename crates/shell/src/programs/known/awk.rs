// Generated from knowledge/programs/awk.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "awk gawk mawk nawk original-awk goawk frawk zawk",
        "gawk(1) 5.2, mawk 1.3",
        "\
            -F|--field-separator=data -v|--assign=data -f|--file=data -b|--characters-as-bytes \
            -c|--traditional -C|--copyright -d?=data --dump-variables?=write -D|--debug?=config \
            -e|--source=data -E|--exec=data -g|--gen-pot -i|--include=data -I|--trace -k|--csv \
            -l|--load=file -L?=data --lint?=data -M|--bignum -n|--non-decimal-data -N|--use-lc-numeric \
            -o?=data --pretty-print?=write -O|--optimize -p?=data --profile?=write -P|--posix \
            -r|--re-interval -s|--no-optimize -S|--sandbox -t|--lint-old -h|--help -V|--version -W=data",
        "",
    )
    .style(Style::Posix)
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Rust(crate::programs::text::awk),
            ],
        },
        Rule {
            when: &[
                Condition::Has(&["-D"]),
            ],
            acts: &[
                Act::RunsStdin("gawk debugger"),
            ],
        },
        Rule {
            when: &[
                Condition::Value(&["-W"], &["e*", "*,e*", "f*", "so*", "in*=*", "lo*", "pre*", "pro*", "du*-*",
                        "de*"]),
            ],
            acts: &[
                Act::Finding("shell.obfuscated", "an option of {program} that names a file stands behind `-W`"),
            ],
        },
    ])
    ,
];
