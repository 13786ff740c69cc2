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
    -S -O -p -V|--version";

const PCRE: &str = "\
    -A|--after-context=num -a|--text -B|--before-context=num --binary-files=data --buffer-size=num \
    -C|--context=num -c|--count --color?=data --colour?=data -D|--devices=data -d|--directories=data \
    -e|--regex|--regexp=pat --exclude=pat --exclude-from=read --exclude-dir=pat -F|--fixed-strings \
    -f|--file=read --file-list=list --file-offsets -H|--with-filename -h|--no-filename -I -i|--ignore-case \
    --include=pat --include-from=read --include-dir=pat -L|--files-without-match -l|--files-with-matches \
    --label=data --line-buffered --line-offsets --locale=data --match-limit=num -M|--multiline \
    -N|--newline=data -n|--line-number --no-jit -o?=num --only-matching?=num --om-separator=data \
    -q|--quiet -r|--recursive --recursion-limit=num -s|--no-messages -u|--utf|--utf-8 -V|--version \
    -v|--invert-match -w|--word-regex|--word-regexp -x|--line-regex|--line-regexp";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "grep egrep fgrep rgrep ggrep",
        "grep(1) 3.8",
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
    ,
    reads(
        "pcregrep",
        "pcregrep(1) 8.39",
        "",
        "",
    )
    .also(PCRE)
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Searches(&Searching {
                        pattern: &["-e", "-f"],
                        below: &["-r"],
                        hidden: &["always"],
                        chosen: &["--include"],
                        names: &["-l", "-L"],
                    }),
            ],
        },
    ])
    ,
    reads(
        "pcre2grep",
        "pcre2grep(1) 10.42",
        "\
            -A|--after-context=num -a|--text --allow-lookaround-bsk -B|--before-context=num \
            --binary-files=data --buffer-size=num --max-buffer-size=num -C|--context=num -c|--count \
            --color?=data --colour?=data -D|--devices=data -d|--directories=data --depth-limit=num \
            -e|--regex|--regexp=pat --exclude=pat --exclude-from=read --exclude-dir=pat -F|--fixed-strings \
            -f|--file=file:pattern --file-list=list --file-offsets -H|--with-filename -h|--no-filename \
            --heap-limit=num -I -i|--ignore-case --include=pat --include-from=read --include-dir=pat \
            -L|--files-without-match -l|--files-with-matches --label=data --line-buffered --line-offsets \
            --locale=data -M|--multiline -m|--max-count=num --match-limit=num -N|--newline=data \
            -n|--line-number --no-jit -O|--output=data -o?=num --only-matching?=num --om-capture=num \
            --om-separator=data -q|--quiet -r|--recursive --recursion-limit=num -s|--no-messages \
            -t|--total-count -u|--utf -U|--utf-allow-invalid -V|--version -v|--invert-match \
            -w|--word-regex|--word-regexp -x|--line-regex|--line-regexp -Z|--null",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Searches(&Searching {
                        pattern: &["-e", "-f"],
                        below: &["-r"],
                        hidden: &["always"],
                        chosen: &["--include"],
                        names: &["-l", "-L"],
                    }),
            ],
        },
        Rule {
            when: &[
                Condition::Contains(&["(?C"]),
            ],
            acts: &[
                Act::Acts,
                Act::Finding("shell.obfuscated", "hides programs that are started in a pattern"),
            ],
        },
    ])
    ,
    reads(
        "agrep tre-agrep",
        "tre-agrep(1) 0.8",
        "\
            -# -e|--regexp=pat -i|--ignore-case -k|--literal -w|--word-regexp -D|--delete-cost=num \
            -I|--insert-cost=num -S|--substitute-cost=num -E|--max-errors=num -d|--delimiter=pat \
            -v|--invert-match -V|--version -y|--nothing -B|--best-match --color|--colour -c|--count \
            -h|--no-filename -H|--with-filename -l|--files-with-matches -n|--record-number \
            -q|--quiet|--silent -s|--show-cost --show-position -M|--delimiter-after",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Searches(&Searching {
                        pattern: &["-e"],
                        below: &[],
                        hidden: &[],
                        chosen: &[],
                        names: &["-l"],
                    }),
            ],
        },
    ])
    ,
    reads(
        "zgrep zegrep zfgrep bzgrep xzgrep zstdgrep",
        "zgrep(1) gzip 1.12, zutils 1.12",
        "\
            --bz2|--gz|--lz|--xz|--zst=prog --format=data --force-format=data -M=data -N|--no-rcfile \
            --verbose",
        "",
    )
    .also(GREP)
    .prints(Output::Filtered)
    .rules(&[
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
    ,
];
