// Generated from knowledge/programs/grep.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const GREP: &str = "\
    -# -E|--extended-regexp -F|--fixed-strings -G|--basic-regexp -P|--perl-regexp -e|--regexp=pat \
    -f|--file=read -i|-y|--ignore-case --no-ignore-case -v|--invert-match -w|--word-regexp \
    -x|--line-regexp -c|--count --color?=data --colour?=data -L|--files-without-match \
    -l|--files-with-matches -m|--max-count=num -o|--only-matching -q|--quiet|--silent -s|--no-messages \
    -b|--byte-offset -H|--with-filename -h|--no-filename --label=data -n|--line-number -T|--initial-tab \
    -u|--unix-byte-offsets -Z|--null -A|--after-context=num -B|--before-context=num -C|--context=num \
    --group-separator=data --no-group-separator -a|--text --binary-files=data -D|--devices=data \
    -d|--directories=data --exclude=pat --exclude-from=read --exclude-dir=pat -I --include=pat \
    --include-dir=pat -r|--recursive -R|--dereference-recursive --line-buffered -U|--binary -z|--null-data \
    -S -O -p";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "grep egrep fgrep rgrep ggrep pcregrep pcre2grep agrep",
        "grep(1) 3.11",
        "",
        "",
    )
    .also(GREP)
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Program(&["rgrep"]),
            ],
            acts: &[
                Act::Searches(&Searching {
                        pattern: &["-e", "-f"],
                        below: &["always"],
                        hidden: &["always"],
                        chosen: &["--include"],
                        names: &["-l", "-L"],
                    }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Searches(&Searching {
                        pattern: &["-e", "-f"],
                        below: &["-r", "-R"],
                        hidden: &["always"],
                        chosen: &["--include"],
                        names: &["-l", "-L"],
                    }),
            ],
        },
    ])
    .taken_over()
    ,
    reads(
        "zgrep zegrep zfgrep bzgrep xzgrep zstdgrep",
        "zgrep(1) gzip 1.12",
        "",
        "",
    )
    .also(GREP)
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Program(&["rgrep"]),
            ],
            acts: &[
                Act::Searches(&Searching {
                        pattern: &["-e", "-f"],
                        below: &["always"],
                        hidden: &["always"],
                        chosen: &["--include"],
                        names: &["-l", "-L"],
                    }),
                Act::Stop,
            ],
        },
        Rule {
            when: &[
            ],
            acts: &[
                Act::Searches(&Searching {
                        pattern: &["-e", "-f"],
                        below: &["-r", "-R"],
                        hidden: &["always"],
                        chosen: &["--include"],
                        names: &["-l", "-L"],
                    }),
            ],
        },
    ])
    .taken_over()
    ,
];
