// Generated from knowledge/programs/ag.kdl by `cargo run -p doorward-knowledge`; edit that file.

use crate::programs::known::prelude::*;

const KINDS: &str = "\
    --cc --cpp --css --go --html --java --js --json --make --md --perl --php --python --ruby --rust \
    --shell --sql --ts --xml --yaml";

pub(in crate::programs) static ROWS: &[ProgramRow] = &[
    reads(
        "ag",
        "ag(1) 2.2",
        "\
            -0|--null|--print0 -A|--after=num -a|--all-types --ackmate --affinity -B|--before=num --break \
            -C|--context=num -c|--count --color --color-line-number=data --color-match=data \
            --color-path=data --column -D|--debug --depth=num -F|--fixed-strings --filename --follow|-f \
            -G|--file-search-regex=pat -g=pat --group -H|--heading --hidden -i|--ignore-case --ignore=pat \
            --ignore-dir=pat -L|--files-without-matches -l|--files-with-matches --list-file-types \
            -m|--max-count=num --mmap --multiline -n|--norecurse --noaffinity --nobreak --nocolor \
            --nofilename --nofollow --nogroup --noheading --nommap --nomultiline --nonumbers --nopager \
            --numbers -o|--only-matching --one-device -p|--path-to-ignore=read --pager=prog --parallel \
            --passthrough|--passthru --print-long-lines -Q|--literal -r|-R|--recurse -S|--smart-case \
            -s|--case-sensitive --search-binary --silent --stats --stats-only -t|--all-text \
            -U|--skip-vcs-ignores -u|--unrestricted -V|--version -v|--invert-match --vimgrep \
            -w|--word-regexp --workers=num -z|--search-zip",
        "",
    )
    .also(KINDS)
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Searches(&Searching {
                        pattern: &["-g"],
                        below: &["always"],
                        hidden: &["--hidden", "-u", "-U", "-a"],
                        chosen: &["--include"],
                        names: &["-l", "-L"],
                    }),
            ],
        },
    ])
    ,
    reads(
        "ack",
        "ack(1) 3.6",
        "\
            -1 -A|--after-context=num --ackrc=config -B|--before-context=num --bar --break \
            -C|--context?=num -c|--count --cathy --color|--colour --color-colno=data --color-filename=data \
            --color-lineno=data --color-match=data --column --create-ackrc --dump --env -f \
            --files-from=list --filter --flush --follow -g=pat --group -H|--with-filename -h|--no-filename \
            --heading --help --help-colors --help-rgb-colors --help-types -I|--no-ignore-case \
            -i|--ignore-case --ignore-ack-defaults --ignore-dir|--ignore-directory=pat --ignore-file=data \
            -k|--known-types -L|--files-without-matches -l|--files-with-matches -m|--max-count=num --man \
            --match=pat -n|--no-recurse --nobreak --nocolor|--nocolour --nocolumn --noenv --nofilter \
            --nofollow --nogroup --noheading --noignore-dir|--noignore-directory=pat --nopager \
            --nosmart-case|--no-smart-case --nounderline -o --output=data -P -p|--proximate?=num \
            --pager=prog --passthru --print0 -Q|--literal -r|-R|--recurse --range-end=pat \
            --range-start=pat -S|--smart-case -s --show-types --sort-files -T=data -t|--type=data --thpppt \
            --type-add=data --type-del=data --type-set=data --underline -v|--invert-match --version \
            -w|--word-regexp -x",
        "",
    )
    .also(KINDS)
    .prints(Output::Filtered)
    .rules(&[
        Rule {
            when: &[
            ],
            acts: &[
                Act::Searches(&Searching {
                        pattern: &["-f", "-g", "--match"],
                        below: &["always"],
                        hidden: &["--hidden", "-u", "-U", "-a"],
                        chosen: &["--include"],
                        names: &["-l", "-L"],
                    }),
            ],
        },
    ])
    ,
    reads(
        "pt ugrep sift",
        "ugrep(1) 7.1, pt 2.2, sift 0.9",
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
