// Generated from knowledge/programs/ag.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "ag ack pt ugrep sift",
        "ag(1) 2.2, ack(1) 3.7",
        "\
            -# -E|--extended-regexp -F|--fixed-strings -G|--basic-regexp -P|--perl-regexp -e|--regexp=pat \
            -f|--file=read -i|-y|--ignore-case --no-ignore-case -v|--invert-match -w|--word-regexp \
            -x|--line-regexp -c|--count --color?=data --colour?=data -L|--files-without-match \
            -l|--files-with-matches -m|--max-count=num -o|--only-matching -q|--quiet|--silent \
            -s|--no-messages -b|--byte-offset -H|--with-filename -h|--no-filename --label=data \
            -n|--line-number -T|--initial-tab -u|--unix-byte-offsets -Z|--null -A|--after-context=num \
            -B|--before-context=num -C|--context=num --group-separator=data --no-group-separator -a|--text \
            --binary-files=data -D|--devices=data -d|--directories=data --exclude=pat --exclude-from=read \
            --exclude-dir=pat -I --include=pat --include-dir=pat -r|--recursive -R|--dereference-recursive \
            --line-buffered -U|--binary -z|--null-data -S -O -p --ackmate --column --nocolor --nogroup \
            --group --nobreak --hidden --ignore=pat --ignore-dir=pat --pager=prog -g=pat \
            --file-search-regex=pat --python --js --type=data -Q|--literal --no-ignore-vcs \
            --path-to-ignore=read --depth=num --stats --html --cpp --java --rust --go --ruby --pager-off \
            --nopager --noenv --match=pat",
        "",
    )
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
                Condition::Program(&["ugrep"]),
            ],
            acts: &[
                Act::Searches(&Searching {
                        pattern: &["-e", "-f", "-g", "--match"],
                        below: &["-r", "-R"],
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
                        pattern: &["-e", "-f", "-g", "--match"],
                        below: &["always"],
                        hidden: &["--hidden", "-u", "-U", "-a"],
                        chosen: &["--include"],
                        names: &["-l", "-L"],
                    }),
            ],
        },
    ])
    .taken_over()
    ,
];
